import type { InputKind, ModelPrices } from "@capstan/protocol";

/** How a Claude can be asked to think; of others only whether they do. */
export type Thinking = "no" | "yes" | "adaptive" | "budget" | "both";

/** What is known about a model; what is not is absent. Tokens. */
export interface ModelFacts {
  readonly contextWindowTokens?: number;
  readonly maxOutputTokens?: number;
  readonly prices?: ModelPrices;
  readonly inputs?: readonly InputKind[];
  readonly thinking?: Thinking;
}

/** A model of the catalog. */
export interface CatalogModel extends ModelFacts {
  readonly id: string;
  /** False: retired, or a family's beginning: looked up, never listed. */
  readonly listed: boolean;
}

export const inputKinds: readonly InputKind[] = ["image", "pdf", "audio", "video"];

/** Facts laid over others, field by field. */
export function overlay(below: ModelFacts, above: ModelFacts): ModelFacts {
  // That a model thinks is no news where it is known how.
  const keepsStyle = above.thinking === "yes" && below.thinking !== undefined && below.thinking !== "no";
  return { ...below, ...above, ...(keepsStyle ? { thinking: below.thinking } : {}) };
}
