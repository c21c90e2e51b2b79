import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { maxServerLineBytes, RemoteEngine, StreamChannel } from "@capstan/remote";
import { engineClientContract, isSlowTier } from "@capstan/testkit";
import { beforeAll, expect, test } from "vitest";
import { bundledProgram } from "../../../test/programs/bundled-program.ts";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

let program: string;
beforeAll(async () => {
  program = await bundledProgram(join(import.meta.dirname, "embed-process.ts"));
});

function start(...args: readonly string[]): Child {
  return spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "pipe"] });
}

function connect({ stdin, stdout }: Child): Promise<RemoteEngine> {
  stdin.on("error", () => undefined);
  const end = (): void => void stdin.end();
  return RemoteEngine.connect(
    new StreamChannel({ input: stdout, output: stdin, maxLineBytes: maxServerLineBytes, end }),
  );
}

interface Run {
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly exitCode: unknown;
  readonly stderr: string;
}

/** Sends everything, then the end. */
async function run(input: string, ...args: readonly string[]): Promise<Run> {
  const child = start(...args);
  child.stdin.end(input);
  const exit = once(child, "exit");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = await exit;
  return {
    lines: stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
    exitCode,
    stderr,
  };
}

const begin = '{"id":"1","op":"sessions.create","params":{"id":"s"}}\n';
function submit(words: string): string {
  const content = [{ type: "text", text: words }];
  const submission = { type: "user-input", turnId: "t1", content };
  return `${JSON.stringify({ id: "3", op: "submit", params: { sessionId: "s", submission } })}\n`;
}
const attach = '{"id":"2","op":"attach","params":{"sessionId":"s","after":0}}\n';

// The fast tier has it through lines of the same process (core/remote).
const contractOverProcess = isSlowTier ? engineClientContract : undefined;
// One process is one connection: its clients share it.
contractOverProcess?.("over standard input and output", async () => {
  const child = start("detach");
  const exit = once(child, "exit");
  const engine = await connect(child);
  return {
    connect: async () => engine,
    async dispose() {
      await engine.close();
      await exit;
    },
  };
});

test("at the end of the input what runs ends first, and its events still come", async () => {
  const { lines, exitCode } = await run(begin + attach + submit("count 50"));
  expect(exitCode).toBe(0);
  const records = lines.flatMap(({ event, record }) => (event === "record" ? [record] : []));
  expect(records.at(-1)).toMatchObject({ type: "turn-ended", turnId: "t1", outcome: "done" });
});

test("what waits for a user is left waiting at the end of the input", async () => {
  const { lines, exitCode } = await run(begin + attach + submit("ask"));
  expect(exitCode).toBe(0);
  const records = lines.flatMap(({ event, record }) => (event === "record" ? [record] : []));
  expect(records.at(-1)).toMatchObject({ type: "interaction-opened" });
});

test("with `detach` the end of the input is the end", async () => {
  const { lines, exitCode } = await run(begin + submit("hold"), "detach");
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toMatchObject({ id: "3", ok: true, result: { type: "accepted" } });
});

test("a program sees exactly the documented lines", async () => {
  const { lines } = await run(`nonsense\n${begin}${attach}${submit("hello")}{"id":"4","op":"no"}\n`, "detach");
  const error = { code: "door.schema", message: expect.any(String), hint: expect.any(String) };
  expect(lines).toContainEqual({ id: null, ok: false, error });
  expect(lines).toContainEqual({ id: "4", ok: false, error });
  expect(lines).toContainEqual({ id: "2", ok: true, result: { stream: "2" } });
  const [first] = lines.filter(({ event }) => event === "record");
  expect(first).toEqual({ event: "record", stream: "2", sessionId: "s", seq: 1, at: 1, record: expect.any(Object) });
});

test("a program that stops reading and goes away leaves no process behind", async () => {
  const child = start();
  const exit = once(child, "exit");
  child.stdin.on("error", () => undefined);
  child.stdin.write(begin + attach + submit("hold"));
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.stdin.write('{"id":"5","op":"snapshot","params":{"sessionId":"s"}}\n'.repeat(10));
  expect((await exit)[0]).toBe(0);
});
