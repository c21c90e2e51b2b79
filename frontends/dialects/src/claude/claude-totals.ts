import { addUsage, type JournalRecord, type JsonObject, noUsage, type Usage } from "@capstan/protocol";
import { addSpending, nothingSpent, type Spending } from "@capstan/view";

interface ModelTotal {
  readonly usage: Usage;
  readonly costUsd: number;
}

/** What this process has spent so far, by model; what another client began counts, too. */
export class ClaudeTotals {
  readonly #models = new Map<string, ModelTotal>();
  #spent: Spending = nothingSpent;
  #model: string;

  /** @param model  the one that is asked at first */
  constructor(model: string) {
    this.#model = model;
  }

  take(record: JournalRecord): void {
    if (record.type === "step-started") this.#model = record.model;
    const before = this.#spent;
    this.#spent = addSpending(before, record);
    if (this.#spent === before) return;
    const { usage, costUsd } = addSpending(nothingSpent, record);
    const known = this.#models.get(this.#model) ?? { usage: noUsage, costUsd: 0 };
    this.#models.set(this.#model, {
      usage: addUsage(known.usage, usage),
      costUsd: known.costUsd + (costUsd ?? 0),
    });
  }

  /** USD; what has no known price counts nothing. */
  get costUsd(): number {
    return [...this.#models.values()].reduce((sum, { costUsd }) => sum + costUsd, 0);
  }

  /** @param windows  what is known of the session's own model */
  usageByModel(windows: { readonly contextWindowTokens: number; readonly maxOutputTokens: number }): JsonObject {
    return Object.fromEntries(
      [...this.#models].map(([model, { usage, costUsd }]) => [
        model,
        {
          inputTokens: Math.max(0, usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens),
          outputTokens: usage.outputTokens,
          cacheReadInputTokens: usage.cachedInputTokens,
          cacheCreationInputTokens: usage.cacheWriteTokens,
          webSearchRequests: 0,
          costUSD: costUsd,
          contextWindow: windows.contextWindowTokens,
          maxOutputTokens: windows.maxOutputTokens,
        },
      ]),
    );
  }
}
