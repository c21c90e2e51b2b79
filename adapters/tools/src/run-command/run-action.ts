import type { ToolResult, ToolRunContext } from "@capstan/ports";
import { type Action, AppError, type CommandForm, type CommandUse, messageOf, unreachable } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { errorCode } from "../paths/error-code.ts";
import { inertText } from "../paths/inert-text.ts";
import { commandResult } from "./command-result.ts";
import { enterConfinement, type StartedProgram } from "./confine/enter-confinement.ts";
import { confinedResult } from "./confine/confined-result.ts";
import { commandEnvironment } from "./environment/command-environment.ts";
import { withTrustedPath } from "./environment/search-path.ts";
import { outputRoom } from "../output-room.ts";
import { reservedBytes } from "./limits.ts";
import { LiveOutput } from "./live-output.ts";
import { OutputCapture } from "./output-capture.ts";
import { runProcess } from "./run-process.ts";
import { CommandRun } from "./runs/command-run.ts";
import { readRunId } from "./runs/run-id.ts";
import type { RunSupervision } from "./runs/run-supervision.ts";
import { spillFolder } from "../paths/spill-folder.ts";
import { SpillFile } from "./spill-file.ts";
import { StartDirectory } from "./start-directory.ts";

/** Runs a command exactly as its action says: nothing is read from anywhere else. */
export async function runAction(
  action: Action,
  context: ToolRunContext,
  options: ToolsOptions,
  supervision: RunSupervision,
): Promise<ToolResult> {
  const { command } = action;
  const { runId } = context.settle;
  if (command === undefined || runId === undefined || readRunId(runId) === undefined)
    throw new AppError("internal.bug", "run_command was run without a command, or without being staged");
  context.signal.throwIfAborted();
  const directory = await StartDirectory.open(command.cwd);
  if (directory === undefined) return failure(`The directory ${inertText(command.cwd, 200)} is no longer there.`);
  const pruned = supervision.prune();
  try {
    const watched = new CommandRun(runId, action.digest, supervision);
    return await enterAndRun({ command, watched, directory, context, options });
  } finally {
    await pruned;
    await directory.close();
  }
}

interface WatchedCommand {
  readonly command: CommandUse;
  readonly watched: CommandRun;
  readonly directory: StartDirectory;
  readonly context: ToolRunContext;
  readonly options: ToolsOptions;
}

async function enterAndRun(run: WatchedCommand): Promise<ToolResult> {
  const { command, watched, directory, context, options } = run;
  const { workspace } = context;
  const { confinement } = command;
  const program = programOf(command.form);
  const own = commandEnvironment(options.environment, confinement);
  const environment = watched.environment(withTrustedPath(own, [workspace.cwd, ...workspace.roots]));
  let started: StartedProgram;
  try {
    started = await enterConfinement(
      {
        ...program,
        environment,
        directory: directory.path,
        command,
        workspace,
        session: context.sessionId,
        hosts: context.sandbox.hosts,
      },
      options.sandbox,
    );
  } catch (error) {
    return notEntered(error);
  }
  let result: ToolResult | undefined;
  try {
    result = await runIn(started, program.file, run);
  } finally {
    // Also after a cancel, and when nothing could be started.
    const report = await started.finish();
    if (result !== undefined && report !== undefined && confinement.type === "sandbox") {
      result = confinedResult(result, report, confinement, {
        home: options.home,
        opened: [workspace.cwd, ...workspace.roots],
      });
    }
  }
  return result;
}

async function runIn(started: StartedProgram, name: string, run: WatchedCommand): Promise<ToolResult> {
  const { command, watched, context, options } = run;
  const live = new LiveOutput((stream, text) => context.onOutput(stream, text));
  const limitBytes = outputRoom(options.limits.outputBytes, reservedBytes);
  const capture = new OutputCapture(limitBytes, live, () =>
    SpillFile.create(spillFolder(options.spillDirectory, context), context.callId, options.redact),
  );
  const { file, args, cwd, environment, descriptors, isCarrier } = started;
  const ended = await runProcess({
    file,
    args,
    cwd,
    environment,
    descriptors,
    isCarrier,
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
    return isCarrier ? sandboxFailed(messageOf(ended.error)) : failure(explainStart(ended.error, name));
  }
  if (ended.end.cause === "aborted") throw context.signal.reason;
  return commandResult(ended.end, output, command.timeoutMs, isCarrier);
}

/** Nothing is tried outside instead. @throws what is no matter of the sandbox */
function notEntered(error: unknown): ToolResult {
  if (!(error instanceof AppError) || (error.code !== "sandbox.failed" && error.code !== "sandbox.layout")) throw error;
  const hint = error.hint === undefined ? "" : ` ${error.hint}`;
  return { status: "failed", code: error.code, content: `${error.message}${hint} Nothing was run.` };
}

function sandboxFailed(reason: string): ToolResult {
  const content = `The sandbox could not be started: ${reason}. Nothing was run.`;
  return { status: "failed", code: "sandbox.failed", content };
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
