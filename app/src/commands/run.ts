import {
  type AnswerForm,
  checkTarget,
  oneOf,
  type OutputFormat,
  outputFormats,
  runPrint,
  type Streams,
  type TargetFlags,
  targetOf,
} from "@capstan/cli";
import { createHost, modelMeant, modelWithoutEffort, type Settings } from "@capstan/host";
import {
  AppError,
  type CancelReason,
  type EngineClient,
  exitCodes,
  type SessionTarget,
  type UserContent,
  userText,
} from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { readAttachments } from "../attachments.ts";
import { parseDuration } from "../duration.ts";
import { askTrustAtTerminal } from "../asking/ask-trust.ts";
import { askMode, askSettings, onAskOf } from "../asking/ask-mode.ts";
import { givenFlags } from "../asking/given-flags.ts";
import { exitCodeOf } from "../exit-code-of.ts";
import { identityHere } from "../asking/local-origin.ts";
import { openLastMessage } from "../last-message.ts";
import type { MeantCommand, MeantPrompt } from "../custom-commands/expand-prompt.ts";
import { readReferences } from "../prompt-references.ts";
import { quoted } from "../installation/shell-text.ts";
import { sessionElsewhere } from "../joining/session-elsewhere.ts";
import { sessionHere } from "../joining/session-here.ts";
import { readPrompt } from "../prompt-input.ts";
import { knownError } from "../known-error.ts";
import { failedResult } from "../failed-result.ts";
import { reportError, reportProblem } from "../report-error.ts";
import { givenToJoined } from "../command-line/joined-settings.ts";
import { isYolo, type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { onStopSignal, processStreams } from "../terminal.ts";
import { version } from "../version.ts";

export interface RunFlags extends SettingsFlags, TargetFlags {
  readonly outputFormat: string;
  readonly attach?: readonly string[];
  readonly outputLastMessage?: string;
  readonly jsonSchema?: string;
  /** The same by another name. */
  readonly outputSchema?: string;
  readonly timeout?: string;
  readonly onAsk?: string;
  readonly onUnknown?: string;
  readonly prompt?: string;
  /** With `continue`: at a terminal, where several sessions were held here, the user picks one. */
  readonly choose?: boolean;
  /** The command line as a prompt, where its first words may have been meant as one. */
  readonly asPrompt?: string;
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
  } catch (thrown) {
    const error = knownError(thrown);
    stopListening();
    reportError(error, ["run"]);
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
  checkRetry(prompt, flags);
  const { outputLastMessage: file } = flags;
  const schema = schemaOf(flags);
  const answerForm = schema === undefined ? undefined : await formOf(schema);
  const lastMessage = file === undefined ? undefined : await openLastMessage(file);
  const settings = await settingsFromFlags(flags, askTrustAtTerminal());
  const streams = processStreams(settings.loaded.values.app.ascii_only);
  for (const line of await linesBefore(flags, settings, output.format))
    streams.progress.write(`capstan: ${inertText(line)}\n`);
  const meant = flags.retry === true ? undefined : await meantBy(prompt, settings);
  const isScript = meant !== undefined && "script" in meant;
  const words = flags.retry === true || isScript ? [] : await wordsOf(meant, flags, streams);
  const waitMs = settings.loaded.values.approvals.timeout_seconds * 1000;
  const host = await createHost(settings, {
    ...askSettings(ask, waitMs),
    version,
    isShared: true,
    beginsSession: flags.continue !== true && flags.resume === undefined,
    loadSettings: (cwd) => settingsFromFlags({ ...flags, cwd }, askTrustAtTerminal()),
    report: reportProblem,
  });
  try {
    const { cwd } = settings.workspace;
    const target = await targetHere(flags, cwd, host.client);
    const elsewhere = await sessionElsewhere(host.client, target, { cwd, isNamed: flags.cwd !== undefined });
    if (elsewhere !== undefined) streams.progress.write(`capstan: ${elsewhere}\n`);
    const request = {
      client: host.client,
      target,
      identity: identityHere("operate"),
      content: words,
      ...(isScript ? { command: meant } : {}),
      ...(flags.name === undefined ? {} : { name: flags.name }),
      isRetry: flags.retry === true,
      given: givenToJoined(settings, flags),
      onAsk: onAskOf(ask.type, waitMs, streams),
      givenFlags: givenFlags(flags),
      onStop(listener: (reason: CancelReason) => void): () => void {
        // In this order: a signal that comes in this very moment is received by one of them.
        const stopListening = onStopSignal(listener);
        output.stopListening();
        return stopListening;
      },
      keepResult: async ({ text }: { readonly text: string }) => await lastMessage?.write(text),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(answerForm === undefined ? {} : { answerForm }),
    };
    const result = await runPrint(request, output.format, streams, version);
    return exitCodes[result.outcome];
  } finally {
    await host.close();
  }
}

/** Its code loads only where a schema was given. */
async function formOf(schema: string): Promise<AnswerForm> {
  const { readAnswerSchema } = await import("../answers/answer-schema.ts");
  return await readAnswerSchema(schema);
}

function checkRetry(prompt: string | undefined, flags: RunFlags): void {
  if (flags.retry !== true || (prompt === undefined && flags.attach === undefined)) return;
  throw new AppError("usage.invalid", "--retry sends the last turn's words again, and takes no others", {
    hint: "Leave the prompt and --attach out, or leave --retry out.",
  });
}

/** Two names of one flag. */
function schemaOf({ jsonSchema, outputSchema }: RunFlags): string | undefined {
  if (jsonSchema === undefined || outputSchema === undefined) return jsonSchema ?? outputSchema;
  throw new AppError("usage.invalid", "--json-schema and --output-schema mean the same, and exclude each other");
}

/** What a user must know of the settings before anything begins. */
async function linesBefore(flags: RunFlags, settings: Settings, format: OutputFormat): Promise<readonly string[]> {
  const meant = flags.model === undefined ? undefined : await modelMeant(settings);
  // Of a session that is resumed the model is its own.
  const isNew = flags.continue !== true && flags.resume === undefined;
  const without = flags.effort === undefined || !isNew ? undefined : await modelWithoutEffort(settings);
  return [
    ...settings.loaded.warnings,
    // As text they are shown when the session says them.
    ...(format === "text" ? [] : settings.trust.notices.map(({ text }) => text)),
    ...(isYolo(flags) ? ["WARNING: --yolo: every tool call that no rule denies or asks for runs without asking."] : []),
    ...(without === undefined ? [] : [`the model ${without} has no effort to set; --effort is left out`]),
    ...(meant === undefined ? [] : [`the model ${flags.model ?? ""} is ${meant}`]),
  ];
}

/** Which session it is for. @throws AppError `session.unknown`, `session.ambiguous` */
async function targetHere(flags: RunFlags, cwd: string, client: EngineClient): Promise<SessionTarget> {
  const { choose, asPrompt } = flags;
  if (choose === true)
    return await targetOf({ ...flags, continue: false, resume: await sessionHere(client, cwd) }, cwd, client);
  try {
    return await targetOf(flags, cwd, client);
  } catch (error) {
    if (asPrompt === undefined || !(error instanceof AppError) || error.code !== "session.unknown") throw error;
    throw new AppError(error.code, error.message, { hint: `Try: capstan run ${quoted(asPrompt)}`, cause: error });
  }
}

/** A command of the user's own says more than its name. Its code loads only where a prompt may name one. */
async function meantBy(
  prompt: string | undefined,
  settings: Settings,
): Promise<MeantPrompt | MeantCommand | undefined> {
  if (prompt?.startsWith("/") !== true) return prompt === undefined ? undefined : { text: prompt, mayAttach: true };
  const custom = await import("../custom-commands/expand-prompt.ts");
  return custom.meantBy(prompt, settings);
}

async function wordsOf(
  prompt: MeantPrompt | undefined,
  flags: RunFlags,
  { progress }: Streams,
): Promise<readonly UserContent[]> {
  const { text: written, mayAttach } = prompt ?? { text: "", mayAttach: true };
  const {
    text: words,
    files,
    missing,
  } = mayAttach ? readReferences(written) : { text: written, files: [], missing: [] };
  for (const name of missing) progress.write(`capstan: @${inertText(name)} names no file here; it stays a word\n`);
  const attachments = await readAttachments([...new Set([...(flags.attach ?? []), ...files])]);
  // A resumed session may have a turn to resume.
  const isOptional = (flags.continue === true || flags.resume !== undefined) && flags.forkSession !== true;
  const warn = (warning: string): void => progress.write(`capstan: ${warning}\n`);
  const text = await readPrompt(prompt === undefined ? undefined : words, warn, isOptional && attachments.length === 0);
  if (text === "") return attachments;
  return [...attachments, ...userText(text)];
}
