import { type AnswerForm, targetOf } from "@capstan/cli";
import { DialectLines, isCompleted, readCodexCommand, serveCodex } from "@capstan/dialects";
import { AppError, exitCodes, messageOf, type UserContent, userText } from "@capstan/protocol";
import { readAttachments } from "../attachments.ts";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { exitCodeOf } from "../exit-code-of.ts";
import { openLastMessage } from "../last-message.ts";
import { readPrompt } from "../prompt-input.ts";
import { reportError } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";
import { dialectIdentity, dialectSettings, openDialect, StopRequests, warn } from "./open-dialect.ts";

type Command = ReturnType<typeof readCodexCommand>;

/** `capstan exec`: one turn, as `codex exec --json` would show it. A line that cannot be read is a usage error, and begins no output. */
export async function runCodex(args: readonly string[]): Promise<number> {
  try {
    const command = readCodexCommand(args);
    return await runRead(command, await wordsOf(command));
  } catch (error) {
    reportError(error, ["exec"]);
    return exitCodeOf(error);
  }
}

async function runRead(command: Command, content: readonly UserContent[]): Promise<number> {
  // First of all who looks at the output: a reader that went away is no request to stop what it began.
  const lines = new DialectLines({ input: process.stdin, output: process.stdout });
  const stops = new StopRequests();
  const stopListening = onStopSignal((reason) => stops.take(reason));
  try {
    return await runCommand(command, content, { lines, stops });
  } catch (error) {
    // Whoever reads the lines gets the reason there, too.
    await lines.write({ type: "error", message: messageOf(error) });
    throw error;
  } finally {
    stopListening();
  }
}

async function runCommand(
  command: Command,
  content: readonly UserContent[],
  { lines, stops }: { readonly lines: DialectLines; readonly stops: StopRequests },
): Promise<number> {
  for (const text of command.warnings) warn(text);
  takeKey(command);
  const flags = flagsOf(command);
  const bypass = command.sandbox === "danger-full-access" ? `--sandbox ${command.sandbox}` : undefined;
  const settings = await dialectSettings(flags, bypass);
  const form = command.outputSchema === undefined ? undefined : await formOf(command.outputSchema);
  const { outputLastMessage: file, resume } = command;
  const lastMessage = file === undefined ? undefined : await openLastMessage(file);
  const host = await openDialect({ flags, settings, asks: false, beginsSession: resume === undefined });
  try {
    const wanted = resume === undefined ? {} : resume === "latest" ? { continue: true } : { resume: resume.id };
    const end = await serveCodex(
      {
        client: host.client,
        target: await targetOf(wanted, settings.workspace.cwd, host.client),
        identity: dialectIdentity("codex"),
        content,
        ...(form === undefined ? {} : { form }),
        onStop: (listener) => stops.listen(listener),
      },
      lines,
    );
    await lastMessage?.write(end?.text ?? "");
    if (stops.reason !== undefined && !lines.isBroken) return exitCodes[stops.reason];
    return end === null || isCompleted(end) ? 0 : 1;
  } finally {
    await host.close();
  }
}

function flagsOf({ model, cwd, addDirectories, sandbox, effort, sets }: Command): SettingsFlags {
  return {
    ...(model === undefined ? {} : { model }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(effort === undefined ? {} : { effort }),
    ...(sandbox === undefined || sandbox === "danger-full-access" ? {} : { permissionMode: sandbox }),
    addDir: addDirectories,
    set: sets,
  };
}

/** What the SDK hands over for this process alone, under the names that the provider's own variables have. */
function takeKey({ baseUrl }: Command): void {
  const { CODEX_API_KEY: key = "" } = process.env;
  if (key !== "" && (process.env["OPENAI_API_KEY"] ?? "") === "") process.env["OPENAI_API_KEY"] = key;
  if (baseUrl !== undefined) process.env["OPENAI_BASE_URL"] = baseUrl;
}

async function wordsOf({ prompt, images }: Command): Promise<readonly UserContent[]> {
  const attached = await readAttachments(images);
  const text = await readPrompt(prompt, warn, attached.length > 0);
  if (text === "" && attached.length === 0) throw new AppError("usage.invalid", "there is no prompt");
  return text === "" ? attached : [...attached, ...userText(text)];
}

/** Its code loads only where a schema was given. */
async function formOf(schema: string): Promise<AnswerForm> {
  const { readAnswerSchema } = await import("../answers/answer-schema.ts");
  return await readAnswerSchema(schema);
}
