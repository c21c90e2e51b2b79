import { readFile } from "node:fs/promises";
import {
  changeCompactionHere,
  changedLines,
  compactionMeant,
  listCompactions,
  previewLines,
  showContextOf,
} from "@capstan/cli";
import {
  contextReport,
  dataDirectory,
  modelRequest,
  openArchive,
  redactorOf,
  type SessionArchive,
} from "@capstan/host";
import { AppError, type ContextReport, messageOf } from "@capstan/protocol";
import { editInEditor } from "../asking/edit-in-editor.ts";
import { identityHere } from "../asking/local-origin.ts";
import { settingsFromFlags } from "../command-line/settings-flags.ts";
import { withStoredSessions } from "../joining/open-client.ts";
import { sessionMeant } from "../joining/session-here.ts";
import { processStreams, screenWidth } from "../terminal.ts";

export interface ContextFlags {
  readonly json?: boolean;
}

export interface ChangeFlags {
  readonly compaction?: string;
}

export interface EditFlags extends ChangeFlags {
  readonly text?: string;
  readonly file?: string;
}

/** `capstan context show [SESSION]`: what the model is shown, how much room it takes, and what stands in for older messages. */
export async function showContext(named: string | undefined, flags: ContextFlags): Promise<number> {
  return await withStoredSessions(async (client) => {
    const id = await sessionMeant(client, named, process.cwd());
    const shown = { id, json: flags.json === true, ...screenWidth() };
    return await showContextOf(client, shown, identityHere("operate"), processStreams(false));
  });
}

/** `capstan context compactions [SESSION]`: every compaction, with what it stands for and who wrote its summary. */
export async function showCompactions(named: string | undefined, flags: ContextFlags): Promise<number> {
  return await withStoredSessions(async (client) => {
    const id = await sessionMeant(client, named, process.cwd());
    const shown = { id, json: flags.json === true, ...screenWidth() };
    return await listCompactions(client, shown, identityHere("operate"), processStreams(false));
  });
}

/** `capstan context preview [SESSION]`: the next request to the model, as it would be sent now. */
export async function previewContext(named: string | undefined, flags: ContextFlags): Promise<number> {
  return await withFolded(named, (state, redact) => {
    const request = modelRequest(state);
    const lines = flags.json === true ? [JSON.stringify(request)] : previewLines(request);
    for (const line of lines) process.stdout.write(`${redact(line)}\n`);
  });
}

/** `capstan context diff [SESSION]`: the messages that the model no longer sees, and what it sees in their place. */
export async function diffCompaction(named: string | undefined, flags: ChangeFlags): Promise<number> {
  return await withFolded(named, (state, redact, report) => {
    const summary = compactionMeant(report, flags.compaction);
    for (const line of changedLines(state.conversation.slice(0, summary.messageCount), summary))
      process.stdout.write(`${redact(line)}\n`);
  });
}

type Folded = Awaited<ReturnType<SessionArchive["fold"]>>["state"];

/** What is stored of a session, whoever has it open. */
async function withFolded(
  named: string | undefined,
  show: (state: Folded, redact: (text: string) => string, report: ContextReport) => void,
): Promise<number> {
  const settings = await settingsFromFlags({});
  const archive = await openArchive({ home: dataDirectory(process.env) });
  try {
    const id = await sessionMeant({ sessions: archive }, named, process.cwd());
    const { state } = await archive.fold(id);
    const report = contextReport(state);
    if (report === null) throw new AppError("session.unknown", `session ${id} was never begun`);
    show(state, redactorOf(settings), report);
    return 0;
  } finally {
    await archive.close();
  }
}

/** `capstan context undo|redo [SESSION]`. */
export async function chooseCompaction(
  type: "undo" | "redo",
  named: string | undefined,
  flags: ChangeFlags,
): Promise<number> {
  return await change(named, flags.compaction, async () => ({ type }));
}

/** `capstan context edit [SESSION]`: new words for a summary, from a flag, a file, or the user's editor. */
export async function editCompaction(named: string | undefined, flags: EditFlags): Promise<number> {
  if (flags.text !== undefined && flags.file !== undefined)
    throw new AppError("usage.invalid", "--text and --file both name the words", { hint: "Give one of them." });
  return await change(named, flags.compaction, async ({ text }) => {
    const summary = await wordsFor(text, flags);
    return summary === null || summary.trim() === text.trim() ? null : { type: "edit", summary };
  });
}

async function wordsFor(before: string, { text, file }: EditFlags): Promise<string | null> {
  if (text !== undefined) return text;
  if (file !== undefined) return await readWords(file);
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new AppError("usage.invalid", "there is no terminal for an editor", {
      hint: "Give the words: --text or --file.",
    });
  const edited = await editInEditor(before, "md", process.env);
  if ("text" in edited) return edited.text;
  process.stderr.write(`capstan: ${edited.problem}\n`);
  return null;
}

async function readWords(file: string): Promise<string> {
  return await readFile(file, "utf8").catch((error: unknown) => {
    throw new AppError("usage.invalid", `--file ${file} cannot be read: ${messageOf(error)}`);
  });
}

type Asked = Parameters<typeof changeCompactionHere>[1]["change"];

async function change(named: string | undefined, compaction: string | undefined, wanted: Asked): Promise<number> {
  return await withStoredSessions(async (client) => {
    const id = await sessionMeant(client, named, process.cwd());
    const asked = { id, named: compaction, change: wanted };
    return await changeCompactionHere(client, asked, identityHere("operate"), processStreams(false));
  });
}
