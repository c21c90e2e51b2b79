import type { ToolResult, ToolRunContext } from "@capstan/ports";
import { type Action, AppError } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { startInBackground } from "../background/start-in-background.ts";
import { inertText } from "../paths/inert-text.ts";
import { commandResult } from "./command-result.ts";
import type { StartedProgram } from "./confine/enter-confinement.ts";
import { confinedResult } from "./confine/confined-result.ts";
import { enterProgram, failure, notEntered, notStarted, placesOf, type WatchedCommand } from "./enter-program.ts";
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
import { TimeAllowance } from "./time-allowance.ts";

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
    const run = { command, watched, directory, context, options };
    return action.arguments["background"] === true ? await startInBackground(action, run) : await enterAndRun(run);
  } finally {
    await pruned;
    await directory.close();
  }
}

async function enterAndRun(run: WatchedCommand): Promise<ToolResult> {
  const { confinement, timeoutMs } = run.command;
  const allowance = new TimeAllowance(timeoutMs);
  let started: StartedProgram;
  try {
    started = await enterProgram({ ...run, allowance });
  } catch (error) {
    return notEntered(error);
  }
  let result: ToolResult | undefined;
  try {
    result = await runIn(started, run, allowance);
  } finally {
    // Also after a cancel, and when nothing could be started.
    const report = await started.finish();
    if (report?.reach !== undefined) run.context.onReach?.(report.reach);
    if (result !== undefined && report !== undefined && confinement.type === "sandbox")
      result = confinedResult(result, report, confinement, placesOf(run));
  }
  return result;
}

async function runIn(started: StartedProgram, run: WatchedCommand, allowance: TimeAllowance): Promise<ToolResult> {
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
    allowance,
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
    return notStarted(ended.error, command, isCarrier);
  }
  if (ended.end.cause === "aborted") throw context.signal.reason;
  return commandResult(ended.end, output, command.timeoutMs, isCarrier);
}
