import { addUsage, type JournalRecord, noUsage, type Usage } from "@capstan/protocol";

/** What model calls have used so far. `costUsd` is `null` once the price of one of them is not known. */
export interface Spending {
  readonly modelCalls: number;
  readonly usage: Usage;
  readonly costUsd: number | null;
}

export const nothingSpent: Spending = { modelCalls: 0, usage: noUsage, costUsd: 0 };

/** Answers cost, and so do summaries. */
export function addSpending(spending: Spending, record: JournalRecord): Spending {
  if (record.type !== "step-completed" && record.type !== "compaction-completed") return spending;
  const { costUsd } = spending;
  return {
    modelCalls: spending.modelCalls + 1,
    usage: addUsage(spending.usage, record.usage),
    costUsd: costUsd === null || record.costUsd === null ? null : costUsd + record.costUsd,
  };
}
