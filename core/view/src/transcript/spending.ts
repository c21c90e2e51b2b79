import { addUsage, type JournalRecord, noUsage, type Spent } from "@capstan/protocol";

/** What model calls have used so far. `costUsd` is `null` once the price of one of them is not known. */
export type Spending = Spent;

export const nothingSpent: Spending = { modelCalls: 0, usage: noUsage, costUsd: 0 };

/** Answers cost, and so do summaries, those too that were none, and agents. */
export function addSpending(spending: Spending, record: JournalRecord): Spending {
  const spent = spentBy(record);
  if (spent === undefined) return spending;
  const { costUsd } = spending;
  return {
    modelCalls: spending.modelCalls + spent.modelCalls,
    usage: addUsage(spending.usage, spent.usage),
    costUsd: costUsd === null || spent.costUsd === null ? null : costUsd + spent.costUsd,
  };
}

function spentBy(record: JournalRecord): Spent | undefined {
  switch (record.type) {
    case "step-completed":
      return oneCall(record);
    case "compaction-completed":
    case "summary-made":
      return record.by === "rules" && record.usage.outputTokens === 0 ? undefined : oneCall(record);
    case "compaction-failed":
    case "summary-dropped":
      return record.usage === undefined ? undefined : oneCall({ usage: record.usage, costUsd: record.costUsd ?? null });
    case "tool-finished":
      return record.spent;
    default:
      return undefined;
  }
}

function oneCall({ usage, costUsd }: Pick<Spent, "usage" | "costUsd">): Spent {
  return { modelCalls: 1, usage, costUsd };
}
