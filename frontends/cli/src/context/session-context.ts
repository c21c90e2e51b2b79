import {
  AppError,
  type ClientIdentity,
  type CompactionChange,
  type ContextReport,
  type EngineClient,
  type HistoryPage,
  type ReportedSummary,
  type SessionClient,
  type SessionEvent,
  type SessionId,
  type StepId,
} from "@capstan/protocol";
import { type CompactionEntry, compactionName, compactionsOf, contextLines } from "@capstan/view";
import type { Streams } from "../output.ts";
import { refusalLine } from "../sessions/refusal-line.ts";
import { compactionLines } from "./compaction-lines.ts";

interface Shown {
  readonly id: SessionId;
  readonly json: boolean;
  readonly width?: number;
}

const pageEvents = 2000;

/** What a session's model is shown, one fact a line. @returns the exit code */
export async function showContextOf(
  client: EngineClient,
  { id, json, ...screen }: Shown,
  identity: ClientIdentity,
  { result }: Streams,
): Promise<number> {
  return await reading(client, { id, identity }, async (session) => {
    const report = await reportOf(session);
    const lines = json ? [JSON.stringify(report)] : contextLines(report, screen);
    for (const line of lines) result.write(`${line}\n`);
    return 0;
  });
}

/** Every compaction of a session, one a line. @returns the exit code */
export async function listCompactions(
  client: EngineClient,
  { id, json, ...screen }: Shown,
  identity: ClientIdentity,
  { result }: Streams,
): Promise<number> {
  return await reading(client, { id, identity }, async (session) => {
    const entries = await compactionsIn(session);
    const lines = json ? entries.map((entry) => JSON.stringify(entry)) : compactionLines(entries, screen);
    for (const line of lines) result.write(`${line}\n`);
    return 0;
  });
}

interface Change {
  readonly id: SessionId;
  /** As it was named: its id or the last part of it; `undefined`: the one that is meant without a name. */
  readonly named: string | undefined;
  /** `null`: nothing is to be changed after all. */
  readonly change: (summary: ReportedSummary) => Promise<CompactionChange | null>;
}

/**
 * Changes a summary, or whether it is shown.
 * @returns the exit code: 1 when nothing changed
 */
export async function changeCompactionHere(
  client: EngineClient,
  { id, named, change }: Change,
  identity: ClientIdentity,
  { result, progress }: Streams,
): Promise<number> {
  const session = await client.open({ type: "resume", id }, { identity, purpose: "drive", resume: "wait" });
  try {
    const summary = compactionMeant(await reportOf(session), named);
    const wanted = await change(summary);
    if (wanted === null || summary.compaction === null) {
      progress.write("Nothing changed.\n");
      return 1;
    }
    const receipt = await session.submit({ type: "change-compaction", compaction: summary.compaction, change: wanted });
    if (receipt.type === "refused") progress.write(`${refusalLine(receipt)}\n`);
    else result.write(`${doneText(wanted, summary, summary.compaction)}\n`);
    return receipt.type === "accepted" ? 0 : 1;
  } finally {
    await session.close();
  }
}

/**
 * The summary that a user means.
 * @param named  `c2`, or the whole id; `undefined`: the one that is shown, else the newest
 * @throws {AppError} `usage.invalid` where there is none of this name, or none at all
 */
export function compactionMeant({ summaries }: ContextReport, named: string | undefined): ReportedSummary {
  const own = summaries.filter(({ compaction }) => compaction !== null);
  const meant =
    named === undefined
      ? (own.find(({ isShown }) => isShown) ?? own.at(-1))
      : own.find(({ compaction }) => compaction === named || compactionName(compaction ?? "") === named);
  if (meant !== undefined) return meant;
  if (own.length === 0)
    throw new AppError("usage.invalid", "no summary stands for messages of this session", {
      hint: "Make one: capstan sessions compact SESSION",
    });
  const names = own.map(({ compaction }) => compactionName(compaction ?? "")).join(", ");
  throw new AppError("usage.invalid", `this session has no summary ${named ?? ""}`, { hint: `It has: ${names}` });
}

function doneText({ type }: CompactionChange, { messageCount }: ReportedSummary, compaction: StepId): string {
  switch (type) {
    case "undo":
      return `${compactionName(compaction)} is undone: the model is shown again what it stood for. Bring it back with: capstan context redo`;
    case "redo":
      return `${compactionName(compaction)} stands for the first ${messageCount} messages again.`;
    case "edit":
      return `The words of ${compactionName(compaction)} are changed; the model sees them from the next request on.`;
  }
}

async function reading(
  client: EngineClient,
  { id, identity }: { readonly id: SessionId; readonly identity: ClientIdentity },
  read: (session: SessionClient) => Promise<number>,
): Promise<number> {
  const session = await client.open({ type: "resume", id }, { identity, purpose: "watch" });
  try {
    return await read(session);
  } finally {
    await session.close();
  }
}

async function reportOf(session: SessionClient): Promise<ContextReport> {
  const report = await session.context();
  if (report !== null) return report;
  throw new AppError("session.unknown", `session ${session.id} was never begun`, {
    hint: "Try: capstan sessions list",
  });
}

/** A long journal is read a page at a time, from its end on; only what is said of compactions is held. */
async function compactionsIn(session: SessionClient): Promise<readonly CompactionEntry[]> {
  const kept: SessionEvent[][] = [];
  let before: number | null = null;
  do {
    const page: HistoryPage = await session.history(before, pageEvents);
    kept.push(page.events.filter(({ record }) => record.type.startsWith("compaction-")));
    before = page.before;
  } while (before !== null);
  return compactionsOf(kept.toReversed().flat(), (await reportOf(session)).summaries);
}
