import { addUsage, type JournalRecord, noUsage, type Usage } from "@capstan/protocol";

/** What model calls have used so far. `costUsd` is `null` once the price of one of them is not known. */
export interface Spending {
  readonly modelCalls: number;
  readonly usage: Usage;
  readonly costUsd: number | null;
}

export const nothingSpent: Spending = { modelCalls: 0, usage: noUsage, costUsd: 0 };

/** Answers cost, and so do summaries, those too that were none. */
export function addSpending(spending: Spending, record: JournalRecord): Spending {
  const call = callOf(record);
  if (call === null) return spending;
  const { costUsd } = spending;
  return {
    modelCalls: spending.modelCalls + 1,
    usage: addUsage(spending.usage, call.usage),
    costUsd: costUsd === null || call.costUsd === null ? null : costUsd + call.costUsd,
  };
}

function callOf(record: JournalRecord): Pick<Spending, "usage" | "costUsd"> | null {
  switch (record.type) {
    case "step-completed":
      return record;
    case "compaction-completed":
      return record.by === "rules" && record.usage.outputTokens === 0 ? null : record;
    case "compaction-failed":
      return record.usage === undefined ? null : { usage: record.usage, costUsd: record.costUsd ?? null };
    default:
      return null;
  }
}
