import type { CompactionReason, JournalRecord, ReportedSummary, SessionEvent, StepId } from "@capstan/protocol";

/** One compaction of a session, as its records tell of it. */
export interface CompactionEntry {
  readonly compaction: StepId;
  /** When it began: ms since 1970. */
  readonly at: number;
  readonly reason: CompactionReason;
  /** How many of the first messages it stands for. */
  readonly messageCount: number;
  /** `gone`: the turns it stood for were taken back, or another stands for them. */
  readonly state: "running" | "failed" | "shown" | "kept" | "gone";
  /** Who wrote the summary. */
  readonly by: "model" | "rules" | "user";
  /** What was chosen to make it: one of Capstan's, or of a program. */
  readonly compactor: string;
  /** Tokens of the next request, with and without it; guesses. */
  readonly tokens: { readonly before: number; readonly after: number } | null;
  readonly costUsd: number | null;
}

/**
 * Every compaction of a session, oldest first.
 * @param events     of its journal; what tells of no compaction is passed over
 * @param summaries  what the session has of them now
 */
export function compactionsOf(
  events: Iterable<SessionEvent>,
  summaries: readonly ReportedSummary[],
): readonly CompactionEntry[] {
  let entries: readonly CompactionEntry[] = [];
  for (const { record, at } of events) entries = withRecord(entries, record, at);
  return entries.map((entry) => {
    if (entry.state !== "kept") return entry;
    const summary = summaries.find(({ compaction }) => compaction === entry.compaction);
    return { ...entry, state: summary === undefined ? "gone" : summary.isShown ? "shown" : "kept" };
  });
}

function withRecord(
  entries: readonly CompactionEntry[],
  record: JournalRecord,
  at: number,
): readonly CompactionEntry[] {
  switch (record.type) {
    case "compaction-started":
      return started(entries, record, at);
    case "summary-started":
      return started(entries, { ...record, type: "compaction-started", reason: "budget" }, at);
    case "summary-made":
    case "compaction-completed": {
      const { stepId, by = "model", compactor = "summarizer", tokens = null, costUsd } = record;
      return changed(entries, stepId, { state: "kept", by, compactor, tokens, costUsd });
    }
    case "summary-dropped":
    case "compaction-failed":
      return changed(entries, record.stepId, { state: "failed" });
    case "compaction-edited":
      return changed(entries, record.stepId, { by: "user" });
    default:
      return entries;
  }
}

function started(
  entries: readonly CompactionEntry[],
  { stepId, messageCount, reason = "asked" }: Extract<JournalRecord, { type: "compaction-started" }>,
  at: number,
): readonly CompactionEntry[] {
  if (entries.some(({ compaction }) => compaction === stepId)) return changed(entries, stepId, { state: "running" });
  const entry: CompactionEntry = {
    compaction: stepId,
    at,
    reason,
    messageCount,
    state: "running",
    by: "model",
    compactor: "summarizer",
    tokens: null,
    costUsd: null,
  };
  return [...entries, entry];
}

function changed(
  entries: readonly CompactionEntry[],
  stepId: StepId,
  change: Partial<CompactionEntry>,
): readonly CompactionEntry[] {
  return entries.map((entry) => (entry.compaction === stepId ? { ...entry, ...change } : entry));
}
