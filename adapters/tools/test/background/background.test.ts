import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolResult } from "@capstan/ports";
import { type JsonObject, ToolRefusal, toSessionId } from "@capstan/protocol";
import { quietContext } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { BackgroundCommands } from "../../src/background/background-commands.ts";
import { maxRunning } from "../../src/background/limits.ts";
import { builtInSource } from "../../src/catalog/built-in-source.ts";
import { testOptions } from "../run-command/call-command.ts";

const session = toSessionId("s-1");

interface Place {
  readonly cwd: string;
  readonly commands: BackgroundCommands;
  call(name: string, args?: JsonObject): Promise<ToolResult>;
  /** As a later process of the same session has it. */
  again(): Place;
}

function place(
  base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-background-"))),
  redact: (text: string) => string = String,
): Place {
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const made = testOptions(join(base, "spill"));
  const { spillDirectory, statusDirectory } = made;
  const commands = new BackgroundCommands({ spillDirectory, statusDirectory });
  onTestFinished(async () => await commands.close());
  const tools = builtInSource({ ...made, background: commands, redact }).tools();
  const workspace = { cwd: base, roots: [base] };
  const call = async (name: string, args: JsonObject = {}): Promise<ToolResult> => {
    const tool = tools.find(({ definition }) => definition.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const context = { ...quietContext, sessionId: session, workspace, signal: new AbortController().signal };
    const action = { ...(await tool.prepare(args, context)), digest: "0".repeat(64) };
    const staged = await tool.stage?.(action, context);
    const settle = staged?.settle ?? { files: [] };
    return await tool.run(action, staged, { ...context, callId: "call-1", settle, onOutput: () => undefined });
  };
  return { cwd: base, commands, call, again: () => place(base, redact) };
}

const start = (command: string): JsonObject => ({ command, background: true });

/** What is written once the line is there: the call waits for it. */
async function read(one: Place, id: string, more: JsonObject = {}): Promise<string> {
  return (await one.call("command_output", { id, wait_seconds: 60, ...more })).content;
}

/** A letter for each process of the group; a killed one that nobody has collected is Z. */
function statesOf(group: number): string {
  const all = spawnSync("ps", ["-eo", "pgid=,stat="], { encoding: "utf8" }).stdout.split("\n");
  return all.flatMap((line) => new RegExp(`^ *${group} +([A-Z])`).exec(line)?.[1] ?? []).join("");
}

test("a background command is started and not waited for; each reading has what is new", async () => {
  const one = place();
  const started = await one.call(
    "run_command",
    start("echo first; until [ -e more ]; do sleep 0.02; done; echo second; exit 3"),
  );
  expect(started).toMatchObject({ status: "ok", details: { background: "background-1" } });
  expect(await read(one, "background-1")).toMatch(/^background-1 \(.*\): running\nfirst\n$/s);
  await one.call("run_command", { command: "touch more" });
  expect(await read(one, "background-1", { filter: "second" })).toContain("\nsecond");
  await one.commands.running(session, "background-1")?.over;
  expect(await read(one, "background-1")).toMatch(/^background-1 \(.*\): Exit code: 3 \(.*\)\n\[no new output\]$/s);
});

test("the next result of any tool says once that a background command has ended", async () => {
  const one = place();
  await one.call("run_command", start("until [ -e over ]; do sleep 0.02; done; exit 7"));
  const running = one.commands.running(session, "background-1");
  writeFileSync(join(one.cwd, "over"), "");
  await running?.over;
  const next = await one.call("run_command", { argv: ["true"] });
  expect(next.content).toMatch(/\[Ended in the background: background-1 \(.* ⟨in the background⟩\): Exit code: 7 /);
  expect((await one.call("run_command", { argv: ["true"] })).content).not.toContain("background-1");
  expect(await one.commands.context(session)).toEqual([]);
  expect(await one.commands.notices(session)).toEqual([]);
});

test("stop_command ends a background command with all it has started, and a second time changes nothing", async () => {
  const one = place();
  await one.call("run_command", start("trap '' TERM; echo $$; (trap '' TERM; exec sleep 600) & echo up; sleep 600"));
  await read(one, "background-1", { filter: "up" });
  const group = Number(
    /^\d+$/m.exec(readFileSync(join(one.commands.folder(session), "background-1.log"), "utf8"))?.[0],
  );
  expect(statesOf(group)).toMatch(/[^Z]/);
  expect((await one.call("stop_command", { id: "background-1" })).content).toMatch(/: stopped \(/);
  expect(statesOf(group)).not.toMatch(/[^Z]/);
  expect((await one.call("stop_command", { id: "background-1" })).content).toContain("It had ended before.");
});

test("when the session is closed nothing runs on, and the next process says how it ended and what it wrote", async () => {
  const one = place();
  await one.call("run_command", start("echo written; sleep 600"));
  await read(one, "background-1");
  await one.commands.endSession(session);
  const later = one.again();
  const [notice] = await later.commands.notices(session);
  expect(notice).toMatchObject({ code: "command.ended" });
  expect(notice?.text).toMatch(/^background-1 \(.*\): ended with the session, which was closed/);
  const [part] = await later.commands.context(session);
  expect(part?.text).toContain("background-1 (echo written; sleep 600");
  expect(await later.commands.notices(session)).toEqual([]);
  expect(await later.commands.context(session)).toEqual([]);
  expect(await read(later, "background-1")).toContain("written\n");
});

test("ids count on in the next process of the session", async () => {
  const one = place();
  await one.call("run_command", start("true"));
  await one.commands.endSession(session);
  const later = one.again();
  expect(await later.call("run_command", start("true"))).toMatchObject({ details: { background: "background-2" } });
  expect((await later.call("command_output")).content.split("\n").slice(0, 3)).toEqual([
    "In the background:",
    expect.stringMatching(/^- background-1 /),
    expect.stringMatching(/^- background-2 /),
  ]);
});

test("no more run at once than the limit says", async () => {
  const one = place();
  for (let count = 0; count < maxRunning; count += 1) await one.call("run_command", start("sleep 600"));
  const refused = await one.call("run_command", start("sleep 600"));
  expect(refused).toMatchObject({ status: "failed" });
  expect(refused.content).toContain("Stop one with command_output first");
  await one.call("command_output", { id: "background-1", stop: true });
  expect(await one.call("run_command", start("sleep 600"))).toMatchObject({ status: "ok" });
});

test("a program that does not exist leaves nothing to be listed", async () => {
  const one = place();
  const failed = await one.call("run_command", { argv: ["no-such-program"], background: true });
  expect(failed.content).toContain('There is no program "no-such-program"');
  expect((await one.call("command_output")).content).toBe("Nothing was started in the background in this session.");
});

test("a long output comes with its latest part, and names the file with the rest", async () => {
  const one = place();
  await one.call("run_command", start("head -c 300000 /dev/zero | tr '\\0' 'a'; echo; echo last"));
  await one.commands.running(session, "background-1")?.over;
  const text = await read(one, "background-1");
  expect(text).toMatch(/\[\d+ bytes left out here; .*background-1\.log holds the latest of all it wrote\]/);
  expect(text.endsWith("last\n")).toBe(true);
  expect(text.length).toBeLessThan(110_000);
});

test("secrets are taken out of the output before it is kept", async () => {
  const one = place(undefined, (text) => text.replaceAll("hunter2", "[redacted]"));
  await one.call("run_command", start("echo hunter2; echo done"));
  expect(await read(one, "background-1", { filter: "done|redacted" })).toContain("[redacted]");
  expect(readFileSync(join(one.commands.folder(session), "background-1.log"), "utf8")).not.toContain("hunter2");
});

test("a filter that takes forever ends the reading and not the session", async () => {
  const one = place();
  await one.call("run_command", start(`echo ${"a".repeat(64)}b`));
  expect(await one.call("command_output", { id: "background-1", filter: "^(a+)+$" })).toMatchObject({
    status: "failed",
    content: expect.stringContaining("takes too long"),
  });
  await expect(one.call("command_output", { id: "background-1", filter: "(" })).rejects.toThrow(ToolRefusal);
});

test("an id that there is not is answered with those that there are", async () => {
  const one = place();
  await one.call("run_command", start("true"));
  for (const id of ["background-9", "../../etc/passwd"]) {
    const result = await one.call("command_output", { id });
    expect(result).toMatchObject({ status: "failed" });
    expect(result.content).toContain("- background-1 ");
  }
});
