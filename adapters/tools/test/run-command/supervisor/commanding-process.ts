/**
 * A process that runs commands, to be killed. Says `staged RUN` before each starts, `ready` when one has written that, and
 * `over` when all have ended; then it stays until it is killed, or, when asked to, ends by itself.
 * Arguments: a directory, the commands as JSON, `stay` or `leave`.
 */
import { mkdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { WorkspacePaths } from "../../../src/paths/workspace-paths.ts";
import { createRunCommandTool } from "../../../src/run-command/run-command.ts";
import { commandOptions } from "./command-options.ts";
import { quietContext } from "@capstan/testkit";

const [base = "", commands = "[]", ending = "stay"] = process.argv.slice(2);
const scripts: readonly string[] = JSON.parse(commands);
const cwd = join(base, "workspace");
mkdirSync(cwd, { recursive: true });
const options = commandOptions(base);
const tool = createRunCommandTool(options, new WorkspacePaths(options));
const workspace = { cwd, roots: [cwd] };

await Promise.all(scripts.map(async (command) => await runOne({ command })));
say("over");
if (ending === "stay") setInterval(() => undefined, 1_000_000);

async function runOne(args: JsonObject): Promise<void> {
  const context = { workspace, ...quietContext, signal: new AbortController().signal };
  const action = { ...(await tool.prepare(args, context)), digest: "d".repeat(64) };
  const staged = await tool.stage?.(action, context);
  if (staged === undefined) throw new Error("run_command stages");
  say(`staged ${staged.settle.runId ?? ""}`);
  await tool.run(action, staged, {
    ...context,
    callId: "call-1",
    settle: staged.settle,
    onOutput: (_, text) => {
      if (text.includes("ready")) say("ready");
    },
  });
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
