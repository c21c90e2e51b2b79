import type { InputKind, ModelPrices } from "../session-config.ts";

/** A model a provider says it can be asked for, with whatever it says about it. Tokens. */
export interface ModelOffer {
  readonly id: string;
  /** For people. */
  readonly name?: string;
  readonly contextWindowTokens?: number;
  readonly maxOutputTokens?: number;
  readonly prices?: ModelPrices;
  readonly inputs?: readonly InputKind[];
}
