import { readFile } from "node:fs/promises";
import { targetOf } from "@capstan/cli";
import { DialectLines, readTedCommand, serveTed } from "@capstan/dialects";
import { AppError, type EngineClient, exitCodes, messageOf, type SessionTarget, userText } from "@capstan/protocol";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { exitCodeOf } from "../exit-code-of.ts";
import { reportError } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";
import { dialectIdentity, dialectSettings, openDialect, StopRequests, warn } from "./open-dialect.ts";

type Command = ReturnType<typeof readTedCommand>;

/** A history or a prompt that is longer is none. */
const maxFileBytes = 4 * 1024 * 1024;

/** `capstan embed --dialect ted PROMPT`: one turn, as `ted chat --embedded` would show it. */
export async function runTed(args: readonly string[]): Promise<number> {
  // First of all who looks at the output: a reader that went away is no request to stop what it began.
  const lines = new DialectLines({ input: process.stdin, output: process.stdout });
  const stops = new StopRequests();
  const stopListening = onStopSignal((reason) => stops.take(reason));
  try {
    return await runCommand(readTedCommand(args), lines, stops);
  } catch (error) {
    const data = { code: error instanceof AppError ? error.code : "error", message: messageOf(error) };
    await lines.write({ type: "error", timestamp: Date.now(), session_id: "", data });
    reportError(error, ["embed"]);
    return exitCodeOf(error);
  } finally {
    stopListening();
  }
}

async function runCommand(command: Command, lines: DialectLines, stops: StopRequests): Promise<number> {
  for (const text of command.warnings) warn(text);
  const flags = await flagsOf(command);
  const settings = await dialectSettings(flags, command.trusts ? "--trust" : undefined);
  const history = command.history === undefined ? undefined : await textOf("--history", command.history);
  const host = await openDialect({ flags, settings, asks: false, beginsSession: command.resume === undefined });
  try {
    const target = await targetFor(command, { client: host.client, cwd: settings.workspace.cwd, history });
    const end = await serveTed(
      {
        client: host.client,
        target,
        identity: dialectIdentity("ted"),
        content: userText(command.prompt),
        onStop: (listener) => stops.listen(listener),
      },
      lines,
      { isResumed: target.type !== "new", trusts: command.trusts },
    );
    if (stops.reason !== undefined && !lines.isBroken) return exitCodes[stops.reason];
    return end === null || end.outcome === "tool-denied" ? 0 : exitCodes[end.outcome];
  } finally {
    await host.close();
  }
}

/** A history becomes a session of its own, which is then continued. */
async function targetFor(
  { history: name, resume }: Command,
  found: { readonly client: EngineClient; readonly cwd: string; readonly history: string | undefined },
): Promise<SessionTarget> {
  const { client, cwd, history } = found;
  if (history === undefined || history.trim() === "" || /^\s*\[\s*\]\s*$/.test(history))
    return await targetOf(resume === undefined ? {} : { resume }, cwd, client);
  if (resume !== undefined)
    throw new AppError("usage.invalid", "--history and --resume exclude each other: a session has its history");
  const file = { name: name ?? "the history", text: history };
  const { sessionId } = await client.sessions.import(file, dialectIdentity("ted"));
  return { type: "resume", id: sessionId };
}

async function flagsOf(command: Command): Promise<SettingsFlags> {
  const { provider, model, cwd, systemPromptFile: promptFile, filesInContext, permissionMode } = command;
  const name = model === undefined || provider === undefined ? model : `${provider}/${model}`;
  const systemPrompt = promptFile === undefined ? undefined : await textOf("--system-prompt-file", promptFile);
  return {
    ...(name === undefined ? {} : { model: name }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(command.reviews ? { strategy: "review" } : {}),
    ...(command.hasTools ? {} : { tools: [] }),
    ...(filesInContext.length === 0 ? {} : { appendSystemPrompt: alreadyShown(filesInContext) }),
  };
}

function alreadyShown(files: readonly string[]): string {
  return `The content of these files stands in the conversation already: ${files.join(", ")}. Read one of them again only where you are going to change it.`;
}

async function textOf(flag: string, path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length <= maxFileBytes) return bytes.toString("utf8").toWellFormed();
  } catch (error) {
    throw new AppError("usage.invalid", `${flag} ${path} cannot be read: ${messageOf(error)}`);
  }
  throw new AppError("usage.invalid", `${flag} ${path} has more than ${maxFileBytes / 1024 / 1024} MB`);
}
