import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { type Stage, usePlace } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";
import type { Run, RunningCapstan } from "../stage/run-capstan.ts";

const place = usePlace();
const sessionId = "shared";
const json = ["--output-format", "json"];

/** A call that ends when the gate of this name is opened. */
function waitsAt(gate: string): object {
  execFileSync("mkfifo", [join(place.workspace, gate)]);
  return { tool_calls: [{ name: "run_command", arguments: { command: `cat ${gate}` } }] };
}

/** Somebody reads at the gate by then. */
function open(gate: string): void {
  writeFileSync(join(place.workspace, gate), "opened\n");
}

/** It is asked for, and its process ends before it comes. */
const never = { text: "never", first_byte_delay_ms: 60_000 };

interface Both {
  readonly run: RunningCapstan;
  readonly attached: RunningCapstan;
}

/** A run whose call is under way, and somebody who follows it from another process. */
async function followed(stage: Stage, flags: readonly string[]): Promise<Both> {
  const run = stage.start([...flags, "--session-id", sessionId, "--sandbox", "off", "--yolo", "first words"]);
  await stage.requests(1);
  const attached = place.start(["sessions", "attach", sessionId], { env: stage.env, holdInput: true });
  await attached.stdoutMatches(/▸ cat/);
  return { run, attached };
}

/** @param count  of words that this one has sent behind others */
async function send({ attached }: Both, text: string, count: number): Promise<void> {
  attached.write(`${text}\n`);
  await attached.stderrMatches(new RegExp(`(?:Queued: [^]*){${count}}`));
}

/** In another process, with a model that has nothing to do with what was asked before. */
async function resumed(id: string, text: string): Promise<Pick<Run, "code" | "stdout">> {
  const { env } = await place.rehearse("anthropic", [{ text }]);
  const { code, stdout } = await place.run(["resume", id], { env });
  return { code, stdout };
}

async function leave({ attached }: Both): Promise<void> {
  attached.kill("SIGINT");
  await attached.ended;
}

test("a run gives its result, stays until the words that others sent behind it are answered, says whose they are, and keeps its exit code", async () => {
  const first = waitsAt("first");
  const second = waitsAt("second");
  const stage = await place.rehearse("anthropic", [
    first,
    { text: "mine" },
    second,
    { text: "theirs" },
    { text: "theirs again" },
  ]);
  const both = await followed(stage, [...json, "-o", "answer"]);
  await send(both, "second words", 1);
  open("first");
  await both.run.stdoutMatches(/"type":"result".*\n/);
  await both.run.stderrMatches(/^Before it ends, this run works on what .+ \(cli\) sent: second words$/m);
  // What a script waits for is there before anybody else is served.
  expect(place.read("answer")).toBe("mine");
  await send(both, "third words", 2);
  open("second");
  const ended = await both.run.ended;
  expect({ code: ended.code, results: ended.lines.length }).toEqual({ code: 0, results: 1 });
  expect(parseResult(ended)).toMatchObject({ outcome: "done", text: "mine", modelCalls: 2 });
  expect(ended.stderr).toMatch(/sent: second words\n[^]*sent: third words\n/);
  await both.attached.stdoutMatches(/theirs again/);
  await leave(both);
  expect([stage.exchanges.length, stage.unused()]).toEqual([5, 0]);
});

slowTest(
  "a run that is stopped leaves the words behind its own, and says so in one line; whoever resumes the session has them answered, once",
  async () => {
    const first = waitsAt("first");
    const stage = await place.rehearse("anthropic", [first, never]);
    const both = await followed(stage, json);
    await send(both, "second words", 1);
    both.run.kill("SIGINT");
    const stopped = await both.run.ended;
    const remedy = `capstan resume ${sessionId}`;
    expect({ code: stopped.code, stderr: stopped.stderr }).toEqual({
      code: 130,
      stderr: expect.stringContaining(`What others sent is not finished; it waits: ${remedy}\n`),
    });
    await both.attached.stderrMatches(new RegExp(`What is not finished waits: ${remedy}`));
    await leave(both);
    expect(await resumed(sessionId, "theirs")).toEqual({ code: 0, stdout: "theirs\n" });
    expect(await resumed(sessionId, "again")).toEqual({ code: 2, stdout: "" });
  },
);

slowTest(
  "a run that works on the words of others ends when it is stopped or its time is over: their turn ends cleanly, what waits behind it is left, and its own code stands",
  async () => {
    for (const how of ["SIGINT", "timeout"] as const) {
      const [first, second] = [waitsAt(`first-${how}`), waitsAt(`second-${how}`)];
      const stage = await place.rehearse("anthropic", [first, { text: "mine" }, second, never]);
      const id = `stopped-${how}`;
      const timeout = how === "timeout" ? ["--timeout", "6s"] : [];
      const run = stage.start([...json, ...timeout, "--session-id", id, "--sandbox", "off", "--yolo", "first words"]);
      await stage.requests(1);
      const attached = place.start(["sessions", "attach", id], { env: stage.env, holdInput: true });
      const both = { run, attached };
      await attached.stdoutMatches(/▸ cat/);
      await send(both, "second words", 1);
      open(`first-${how}`);
      await attached.stdoutMatches(/mine[^]*▸ cat/);
      await send(both, "third words", 2);
      if (how === "SIGINT") run.kill("SIGINT");
      const ended = await run.ended;
      expect({ code: ended.code, outcome: parseResult(ended)["outcome"] }).toEqual({ code: 0, outcome: "done" });
      expect(ended.stderr).toMatch(/That turn ended: (?:interrupted|timeout)\.\n[^]*it waits: capstan resume/);
      await leave(both);
      expect(await resumed(id, "third")).toEqual({ code: 0, stdout: "third\n" });
    }
  },
);

slowTest(
  "a run that is killed while it works on the words of others leaves them to whoever resumes the session",
  async () => {
    const first = waitsAt("first");
    const stage = await place.rehearse("anthropic", [first, { text: "mine" }, never]);
    const both = await followed(stage, json);
    await send(both, "second words", 1);
    open("first");
    await stage.requests(3);
    both.run.kill("SIGKILL");
    await both.run.ended;
    await both.attached.stderrMatches(/What is not finished waits/);
    await leave(both);
    expect(await resumed(sessionId, "theirs")).toEqual({ code: 0, stdout: "theirs\n" });
    expect((await place.run(["doctor", sessionId])).code).toBe(0);
  },
);
