import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SandboxReport, ToolResult } from "@capstan/ports";
import { type Action, messageOf } from "@capstan/protocol";
import { commandResult, describeEnd } from "../run-command/command-result.ts";
import { confinedResult } from "../run-command/confine/confined-result.ts";
import type { StartedProgram } from "../run-command/confine/enter-confinement.ts";
import {
  enterProgram,
  failure,
  notEntered,
  notStarted,
  placesOf,
  type WatchedCommand,
} from "../run-command/enter-program.ts";
import { type ObservedRun, type ProcessEnd, runProcess } from "../run-command/run-process.ts";
import type { RunEnd } from "../run-command/runs/run-status.ts";
import type { BackgroundCommands, StopReason } from "./background-commands.ts";
import { maxEndLength, maxRunning, maxStarted, tracedLength } from "./limits.ts";
import { type BackgroundNote, logPath, reserveId, writeNote } from "./note.ts";
import { OutputLog } from "./output-log.ts";

/** A command for the background, in its session. */
interface BackgroundStart extends WatchedCommand {
  readonly session: string;
  readonly commands: BackgroundCommands;
  readonly folder: string;
  readonly note: BackgroundNote;
  readonly log: OutputLog;
}

/** Starts a command and leaves it running: the result says by which id it is read and stopped. */
export async function startInBackground(action: Action, run: WatchedCommand): Promise<ToolResult> {
  const { context, options, watched } = run;
  const { background: commands } = options;
  const { sessionId: session } = context;
  if (commands === undefined || session === null)
    return failure("Nothing runs in the background outside of a session.");
  if (commands.countRunning(session) >= maxRunning)
    return failure(`${maxRunning} commands run in the background already. Stop one with command_output first.`);
  const folder = commands.folder(session);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const id = reserveId(folder);
    if (id === undefined) return failure(`A session starts at most ${maxStarted} commands in the background.`);
    commands.begin(session, id);
    const note: BackgroundNote = {
      id,
      runId: watched.id,
      digest: action.digest,
      summary: (options.redact ?? String)(action.summary),
      startedAtMs: Date.now(),
      isReportedToModel: false,
      isReportedToUser: false,
    };
    writeNote(folder, note);
    const log = new OutputLog(logPath(folder, id), options.redact ?? String);
    return await enterAndLeave({ ...run, session, commands, folder, note, log });
  } catch (error) {
    context.signal.throwIfAborted();
    return failure(`It cannot be noted what is started (${messageOf(error)}). Nothing was run.`);
  }
}

async function enterAndLeave(run: BackgroundStart): Promise<ToolResult> {
  let started: StartedProgram;
  try {
    started = await enterProgram(run);
  } catch (error) {
    forget(run);
    return notEntered(error);
  }
  const stop = new AbortController();
  const observed = new BegunRun(run.watched);
  const ended = follow(started, observed, stop.signal, run);
  const first = await Promise.race([observed.begun, ended]);
  if (first !== undefined && first.type === "not-started") {
    await started.finish();
    forget(run);
    return notStarted(first.error, run.command, started.isCarrier);
  }
  leaveRunning(run, started, { ended, stop });
  const { context, commands, session, note } = run;
  if (context.signal.aborted) {
    const command = commands.running(session, note.id);
    command?.stop("stopped");
    await command?.over;
    throw context.signal.reason;
  }
  const content = `Running in the background as ${note.id}. command_output reads what it writes, and stops it; it ends with the session.`;
  return { status: "ok", content, details: { background: note.id } };
}

type Followed =
  | { readonly type: "ended"; readonly end: ProcessEnd }
  | { readonly type: "not-started"; readonly error: unknown };

async function follow(
  { file, args, cwd, environment, descriptors, isCarrier }: StartedProgram,
  observed: ObservedRun,
  signal: AbortSignal,
  { command, options, log, commands, session }: BackgroundStart,
): Promise<Followed> {
  const request = { file, args, cwd, environment, descriptors, isCarrier, signal, run: observed };
  return await runProcess({
    ...request,
    timeoutMs: command.timeoutMs,
    pipeDirectory: options.spillDirectory,
    onData: (_stream, bytes) => {
      log.add(bytes);
      commands.changed(session);
      return undefined;
    },
  }).then(
    (end) => ({ type: "ended" as const, end }),
    (error: unknown) => ({ type: "not-started" as const, error }),
  );
}

/** The same run, which also says when it has begun. */
class BegunRun implements ObservedRun {
  readonly id: string;
  readonly begun: Promise<undefined>;
  readonly #watched: ObservedRun;
  #begin: (nothing: undefined) => void = () => undefined;

  constructor(watched: ObservedRun) {
    this.id = watched.id;
    this.#watched = watched;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  beforeStart(): void {
    this.#watched.beforeStart();
  }

  notStarted(): void {
    this.#watched.notStarted();
  }

  started(pid: number, startTicks: number | undefined): void {
    this.#watched.started(pid, startTicks);
    this.#begin(undefined);
  }

  exited(end: RunEnd): void {
    this.#watched.exited(end);
  }

  over(): void {
    this.#watched.over();
  }
}

function leaveRunning(
  run: BackgroundStart,
  started: StartedProgram,
  { ended, stop }: { readonly ended: Promise<Followed>; readonly stop: AbortController },
): void {
  const { commands, session, note, log, folder } = run;
  let reason: StopReason | undefined;
  const finish = async (): Promise<void> => {
    const followed = await ended;
    try {
      log.close();
      const report = await started.finish();
      writeNote(folder, { ...note, end: endText(run, followed, { report, reason, started }) });
    } catch {
      // What cannot be noted is found out later, as after a kill.
    }
  };
  const over = finish();
  commands.add(session, note.id, {
    log,
    over,
    stop: (why) => {
      reason ??= why;
      stop.abort();
    },
  });
}

interface Ended {
  readonly report: SandboxReport | undefined;
  readonly reason: StopReason | undefined;
  readonly started: StartedProgram;
}

/** How it ended, and what the sandbox has to say, as the result of a command that was waited for would say it. */
function endText(run: BackgroundStart, followed: Followed, { report, reason, started }: Ended): string {
  if (followed.type === "not-started") return `ended; nobody saw how (${messageOf(followed.error)})`;
  const { command, log } = run;
  const { end } = followed;
  const { text } = log.read(Math.max(0, log.end - tracedLength), tracedLength);
  const output = { text, stdoutBytes: log.end, stderrBytes: 0, truncated: false, spillPath: null };
  const plain = commandResult(end, output, command.timeoutMs, started.isCarrier);
  const { confinement } = command;
  const whole =
    report === undefined || confinement.type !== "sandbox"
      ? plain
      : confinedResult(plain, report, confinement, placesOf(run));
  if (whole.status === "failed" && whole.code === "sandbox.failed") return whole.content;
  const first = reason === undefined ? describeFirst(plain.content, end) : `${stopTexts[reason]} (${secondsOf(end)})`;
  const notes = whole.content.slice(plain.content.replace(/\n$/, "").length).trim();
  const kept = log.problem === undefined ? [] : [`[Not all of its output was kept: ${log.problem}]`];
  return [first, ...(notes === "" ? [] : [notes]), ...kept].join("\n").slice(0, maxEndLength);
}

/** A time-out says more than there is room for; the first line of all else is the end. */
function describeFirst(content: string, end: ProcessEnd): string {
  if (end.cause === "timeout") return `timed out and was ended (${secondsOf(end)})`;
  return content.split("\n")[0] ?? describeEnd(end, 0);
}

const stopTexts: Readonly<Record<StopReason, string>> = {
  stopped: "stopped",
  closed: "ended with the session, which was closed",
};

function secondsOf({ durationMs }: ProcessEnd): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

/** Nothing was started: nothing is to be found of it. */
function forget({ folder, note, log, commands, session }: BackgroundStart): void {
  commands.over(session, note.id);
  log.close();
  rmSync(log.path, { force: true });
  rmSync(join(folder, `${note.id}.json`), { force: true });
}
