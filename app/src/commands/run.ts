import { createProgress, type OutputFormat, outputFormats, runPrint, type Streams } from "@capstan/cli";
import { createHost, type Host, type Settings, type SettingsOptions } from "@capstan/host";
import {
  AppError,
  type CancelReason,
  exitCodes,
  type SessionId,
  type SessionTarget,
  type UserContent,
  toSessionId,
  userText,
} from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { readAttachments } from "../attachments.ts";
import { parseDuration } from "../duration.ts";
import { askMode, askSettings, onAskOf } from "../asking/ask-mode.ts";
import { exitCodeOf } from "../exit-code-of.ts";
import { oneOf } from "../asking/one-of.ts";
import { localOrigin } from "../asking/local-origin.ts";
import { readPrompt } from "../prompt-input.ts";
import { failedResult } from "../failed-result.ts";
import { reportError, reportProblem } from "../report-error.ts";
import { isYolo, type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { onStopSignal, processStreams } from "../terminal.ts";
import { version } from "../version.ts";

export interface RunFlags extends SettingsFlags {
  readonly outputFormat: string;
  readonly continue?: boolean;
  readonly resume?: string;
  readonly forkSession?: boolean;
  readonly retry?: boolean;
  readonly sessionId?: string;
  readonly attach?: readonly string[];
  readonly timeout?: string;
  readonly onAsk?: string;
  readonly onUnknown?: string;
  readonly prompt?: string;
}

/** `capstan run`: one turn. */
export async function run(argument: string | undefined, flags: RunFlags): Promise<number> {
  const format = oneOf(outputFormats, flags.outputFormat, "--output-format");
  const stopListening = endOnSignal(format);
  try {
    if (argument !== undefined && flags.prompt !== undefined) {
      throw new AppError("usage.invalid", "--prompt and a prompt as argument exclude each other");
    }
    return await runChecked(argument ?? flags.prompt, flags, { format, stopListening });
  } catch (error) {
    reportError(error);
    // Scripts that read JSON get their last line even when nothing could be started.
    if (format !== "text") process.stdout.write(failedResult(error));
    return exitCodeOf(error);
  }
}

interface RunOutput {
  readonly format: OutputFormat;
  /** From the turn's start on signals are the turn's. */
  readonly stopListening: () => void;
}

/** Until the turn begins there is nothing to end cleanly: a signal ends the process, with the result that scripts wait for. */
function endOnSignal(format: OutputFormat): () => void {
  return onStopSignal((reason) => {
    const exitCode = exitCodes[reason];
    const result = { type: "result", outcome: reason, exitCode, error: { message: "stopped before the turn began" } };
    if (format !== "text") process.stdout.write(`${JSON.stringify(result)}\n`);
    process.exit(exitCode);
  });
}

async function runChecked(prompt: string | undefined, flags: RunFlags, output: RunOutput): Promise<number> {
  const timeoutMs = flags.timeout === undefined ? undefined : parseDuration(flags.timeout, "--timeout");
  const ask = askMode(flags);
  checkTarget(flags);
  if (flags.retry === true && (prompt !== undefined || flags.attach !== undefined)) {
    throw new AppError("usage.invalid", "--retry sends the last turn's words again, and takes no others", {
      hint: "Leave the prompt and --attach out, or leave --retry out.",
    });
  }
  const settings = await settingsFromFlags(flags, askTrustAtTerminal());
  const streams = processStreams(settings.loaded.values.app.ascii_only);
  for (const warning of settings.loaded.warnings) streams.progress.write(`capstan: ${warning}\n`);
  // As text they are shown when the session says them.
  if (output.format !== "text")
    for (const { text } of settings.trust.notices) streams.progress.write(`capstan: ${inertText(text)}\n`);
  if (isYolo(flags))
    streams.progress.write(
      "capstan: WARNING: --yolo: every tool call that no rule denies or asks for runs without asking.\n",
    );
  const words = flags.retry === true ? [] : await wordsOf(prompt, flags, streams);
  const waitMs = settings.loaded.values.approvals.timeout_seconds * 1000;
  const host = await createHost(settings, {
    ...askSettings(ask, waitMs),
    version,
    beginsSession: flags.continue !== true && flags.resume === undefined,
    loadSettings: (cwd) => settingsFromFlags({ ...flags, cwd }, askTrustAtTerminal()),
    report: reportProblem,
  });
  try {
    const target = await targetOf(flags, settings, host);
    const retried = flags.retry === true && target.type === "resume" ? await retry(host, target.id, streams) : null;
    const request = {
      engine: host.engine,
      target,
      content: retried ?? words,
      origin: localOrigin(),
      onAsk: onAskOf(ask.type, waitMs, streams),
      onStop(listener: (reason: CancelReason) => void): () => void {
        output.stopListening();
        return onStopSignal(listener);
      },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    };
    return await runPrint(request, output.format, streams, version);
  } finally {
    await host.close();
  }
}

/** On a terminal the user is asked whether they trust the folder; its code loads only there. */
function askTrustAtTerminal(): SettingsOptions["askTrust"] {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  return async (question) => {
    const { askTrust } = await import("../trust-question.ts");
    const terminal = { input: process.stdin, output: process.stderr };
    return await askTrust(question, terminal, () => process.kill(process.pid, "SIGINT"));
  };
}

async function wordsOf(
  prompt: string | undefined,
  flags: RunFlags,
  { progress }: Streams,
): Promise<readonly UserContent[]> {
  const attachments = await readAttachments(flags.attach ?? []);
  // A resumed session may have a turn to resume.
  const isOptional = (flags.continue === true || flags.resume !== undefined) && flags.forkSession !== true;
  const warn = (warning: string): void => progress.write(`capstan: ${warning}\n`);
  const text = await readPrompt(prompt, warn, isOptional && attachments.length === 0);
  if (text === "") return attachments;
  return [...attachments, ...userText(text)];
}

/** Takes the last turn back, says what that did, and returns its words. */
async function retry(host: Host, id: SessionId, { progress }: Streams): Promise<readonly UserContent[]> {
  const { content, events } = await host.takeBackLast(id, { frontend: "cli" });
  const describe = createProgress();
  for (const event of events) for (const line of describe(event)) progress.write(`${line.text}\n`);
  return content;
}

function checkTarget(flags: RunFlags): void {
  if (flags.continue === true && flags.resume !== undefined)
    throw new AppError("usage.invalid", "--continue and --resume exclude each other");
  if (flags.retry === true && (flags.forkSession === true || (flags.continue !== true && flags.resume === undefined))) {
    throw new AppError("usage.invalid", "--retry needs --continue or --resume ID, and no --fork-session");
  }
  if (flags.forkSession === true && flags.continue !== true && flags.resume === undefined) {
    throw new AppError("usage.invalid", "--fork-session needs --continue or --resume ID");
  }
  if (flags.sessionId !== undefined && !/^[\w-]{1,64}$/.test(flags.sessionId)) {
    throw new AppError("usage.invalid", "--session-id takes up to 64 letters, digits, _ and -");
  }
}

async function targetOf(flags: RunFlags, settings: Settings, { engine }: Host): Promise<SessionTarget> {
  if (flags.continue !== true && flags.resume === undefined) {
    return flags.sessionId === undefined ? { type: "new" } : { type: "new", id: toSessionId(flags.sessionId) };
  }
  const id =
    flags.resume === undefined ? await latestSession(settings, engine) : await engine.resolveSession(flags.resume);
  return { type: flags.forkSession === true ? "fork" : "resume", id };
}

async function latestSession({ workspace }: Settings, engine: Host["engine"]): Promise<ReturnType<typeof toSessionId>> {
  const latest = (await engine.listSessions()).find((session) => session.cwd === workspace.cwd);
  if (latest === undefined) {
    throw new AppError("session.unknown", `no session was held in ${workspace.cwd} yet`, {
      hint: "Leave --continue out to begin one.",
    });
  }
  return latest.id;
}
