import type { Staged, Tool, ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import {
  type Action,
  type ActionDraft,
  AppError,
  type CommandForm,
  type JsonObject,
  messageOf,
  ToolRefusal,
  unreachable,
} from "@capstan/protocol";
import { runCommandDefinition } from "../definitions/run-command-definition.ts";
import type { ToolsOptions } from "../options.ts";
import { errorCode } from "../paths/error-code.ts";
import { inertText } from "../paths/inert-text.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import { commandResult } from "./command-result.ts";
import { commandSummary } from "./command-summary.ts";
import { findShell } from "./find-shell.ts";
import { reservedBytes } from "./limits.ts";
import { LiveOutput } from "./live-output.ts";
import { OutputCapture } from "./output-capture.ts";
import { nestedCommands } from "./nested-commands/nested-commands.ts";
import { parseCommand } from "./parse-command.ts";
import { probeCommand } from "./probe/probe-command.ts";
import { runProcess } from "./run-process.ts";
import { CommandRun } from "./runs/command-run.ts";
import { mintRunId, readRunId } from "./runs/run-id.ts";
import { RunKeepers } from "./runs/run-keepers.ts";
import { scriptsOf } from "./scripts/scripts-of.ts";
import { SpillFile } from "./spill-file.ts";
import { StartDirectory } from "./start-directory.ts";

/**
 * `run_command`: a program with arguments, or a script for the shell. It runs in a process group of its own, without
 * standard input, in an environment that holds nothing but `options.environment` and the mark of its run; when the call ends,
 * so has everything that carries the mark, and when this process is killed, a supervisor ends it. A command that ran to its
 * end is a result, whatever its exit code.
 */
export function createRunCommandTool(options: ToolsOptions, paths: WorkspacePaths): Tool {
  const keepers = new RunKeepers(options.statusDirectory);
  return {
    definition: runCommandDefinition(options),
    aliases: [],
    effect: "execute",
    prepare: async (args, context) => await prepare(args, context, options, paths),
    stage: async (action) => await Promise.resolve(stage(action, keepers)),
    run: async (action, _staged, context) => await run(action, context, options, keepers),
    probe: async (action, settle, context) => await probeCommand(action, settle, context, keepers.folder),
  };
}

async function prepare(
  args: JsonObject,
  context: ToolContext,
  options: ToolsOptions,
  paths: WorkspacePaths,
): Promise<ActionDraft> {
  const { form, cwd, timeoutMs } = parseCommand(args, options.timeouts, findShell(options.shell));
  const directory = await paths.resolve(context.workspace, cwd, "read");
  if (directory.kind !== "directory") {
    const text = `cwd must be a directory: ${inertText(directory.shown, 200)} is a file.`;
    throw new ToolRefusal("rejected", "path.not-a-file", text);
  }
  const { commands: nested, complete } = await nestedCommands(form);
  const scene = { cwd: directory.real, workspace: context.workspace, paths, signal: context.signal };
  const scripts = await scriptsOf(nested, complete, scene);
  return {
    tool: "run_command",
    arguments: { ...args, cwd: directory.shown, timeout_seconds: timeoutMs / 1000 },
    effect: "execute",
    risk: "high",
    paths: [],
    command: { form, cwd: directory.real, timeoutMs, confinement: { type: "none" }, scripts, nested },
    summary: commandSummary(form),
  };
}

/** Gives the run its name, which must be durable before anything can carry it. */
function stage(action: Action, { folder }: RunKeepers): Staged {
  try {
    folder.open();
  } catch (error) {
    const text = `The folder that notes what is started cannot be made (${messageOf(error)}). Nothing was run.`;
    throw new ToolRefusal("rejected", "tool.failed", text, { cause: error });
  }
  const settle = { files: [], runId: mintRunId(Date.now()) };
  return { settle, changes: [], proposal: `Proposed, not run: ${action.summary}`, data: undefined };
}

async function run(
  action: Action,
  context: ToolRunContext,
  options: ToolsOptions,
  keepers: RunKeepers,
): Promise<ToolResult> {
  const { command } = action;
  const { runId } = context.settle;
  if (command === undefined || runId === undefined || readRunId(runId) === undefined)
    throw new AppError("internal.bug", "run_command was run without a command, or without being staged");
  context.signal.throwIfAborted();
  const directory = await StartDirectory.open(command.cwd);
  if (directory === undefined) return failure(`The directory ${inertText(command.cwd, 200)} is no longer there.`);
  const pruned = keepers.prune();
  try {
    const started = { command, watched: new CommandRun(runId, action.digest, keepers) };
    return await runIn(directory, started, context, options);
  } finally {
    await pruned;
    await directory.close();
  }
}

async function runIn(
  directory: StartDirectory,
  { command, watched }: { readonly command: NonNullable<Action["command"]>; readonly watched: CommandRun },
  context: ToolRunContext,
  options: ToolsOptions,
): Promise<ToolResult> {
  const live = new LiveOutput((stream, text) => context.onOutput(stream, text));
  const limitBytes = Math.max(0, options.limits.outputBytes - reservedBytes);
  const capture = new OutputCapture(limitBytes, live, () =>
    SpillFile.create(options.spillDirectory, context.callId, options.redact),
  );
  const program = programOf(command.form);
  const ended = await runProcess({
    ...program,
    cwd: directory.path,
    environment: watched.environment(options.environment),
    run: watched,
    timeoutMs: command.timeoutMs,
    signal: context.signal,
    pipeDirectory: options.spillDirectory,
    onData: (stream, bytes) => capture.add(stream, bytes),
  }).then(
    (end) => ({ type: "ended" as const, end }),
    (error: unknown) => ({ type: "not-started" as const, error }),
  );
  const output = await capture.finish();
  if (ended.type === "not-started") {
    context.signal.throwIfAborted();
    return failure(explainStart(ended.error, program.file));
  }
  if (ended.end.cause === "aborted") throw context.signal.reason;
  return commandResult(ended.end, output, command.timeoutMs);
}

function programOf(form: CommandForm): { readonly file: string; readonly args: readonly string[] } {
  switch (form.type) {
    case "argv":
      return { file: form.argv[0] ?? "", args: form.argv.slice(1) };
    case "script":
      // A shell takes what begins with a sign for options; a blank in front changes nothing else.
      return { file: form.shell, args: ["-c", /^[-+]/.test(form.script) ? ` ${form.script}` : form.script] };
    default:
      return unreachable(form);
  }
}

function failure(content: string): ToolResult {
  return { status: "failed", code: "tool.failed", content };
}

function explainStart(error: unknown, file: string): string {
  const program = inertText(file, 200);
  switch (errorCode(error)) {
    case "ENOENT":
      return `There is no program "${program}" (or the interpreter its first line names is missing). Nothing was run.`;
    case "EACCES":
      return `"${program}" is not executable. Nothing was run.`;
    case "E2BIG":
      return `The arguments for "${program}" are too long for the system. Nothing was run.`;
    case "ENOEXEC":
      return `"${program}" is not a program this system can run. Nothing was run.`;
    default:
      return `"${program}" could not be started: ${messageOf(error)}`;
  }
}
