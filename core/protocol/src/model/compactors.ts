import type { ModelSettings } from "../session-config.ts";

/**
 * What Capstan itself makes room with. A model writes `summarizer` (a summary of the older messages) and `distill` (one document in place of
 * nearly all of them); the others are rules and cost nothing. `rules` is what is left where no model is to write any.
 */
export type OwnCompactor = "summarizer" | "distill" | "intelligent" | "token_budget" | "simple" | "rules";
export const ownCompactors: readonly OwnCompactor[] = [
  "summarizer",
  "distill",
  "intelligent",
  "token_budget",
  "simple",
  "rules",
];

/** The wire of compactors from outside. */
export const compactorWire = "compactor";

/** The compactor that asks the address of `context.summary_url`. */
export const httpCompactorName = "http";

export function isOwnCompactor(name: string): name is OwnCompactor {
  return ownCompactors.some((own) => own === name);
}

/** A compactor from outside, as a model that is asked for a summary. It reads as much as the model that it works for. */
export function outsideCompactor(
  { compactor: name, agent }: { readonly compactor: string; readonly agent?: { readonly name: string } },
  model: ModelSettings,
): ModelSettings {
  const { contextWindowTokens, maxOutputTokens } = model;
  const sizes = { contextWindowTokens, maxOutputTokens };
  const prices = { input: 0, output: 0 };
  const options = { agentId: agent?.name ?? "main" };
  return { provider: compactorWire, id: name, wire: compactorWire, ...sizes, prices, options };
}
