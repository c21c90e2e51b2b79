import type { AssistantMessage } from "../message.ts";
import type { JsonValue } from "../json.ts";

/** Tokens as the vendor billed them. `inputTokens` counts everything read, cached parts included. */
export interface Usage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
}

export const noUsage: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}

/**
 * Why a model stopped. Only `stop` and `tool-calls` are whole answers: after any other reason no call of the step is executed.
 * `pause` (Anthropic `pause_turn`) is sent back as it is, so that the vendor continues.
 */
export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "refusal" | "pause" | "other";

/** What a provider hands on while a model answers: pieces to show, then exactly one `finish`, last. */
export type ModelStreamPart =
  | { readonly type: "text-delta"; readonly delta: string }
  | { readonly type: "thinking-delta"; readonly delta: string }
  /** `index` distinguishes the calls of one answer while their ids may not be known yet. */
  | { readonly type: "tool-arguments-delta"; readonly index: number; readonly name: string; readonly delta: string }
  /** Something the wire sent that we do not know: kept for people, never fatal. */
  | { readonly type: "unknown"; readonly what: string; readonly raw: JsonValue }
  /** Something was done about the call that people should know, such as a wait. */
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly code: string; readonly text: string }
  /** What the vendor says is left of its limits, as of this answer's head. Consumed by the runtime, never journaled. */
  | { readonly type: "rate-limits"; readonly limits: readonly RateLimit[] }
  | ModelFinish;

/** One of a vendor's limits. */
export interface RateLimit {
  /** Such as `requests` or `input-tokens`. */
  readonly name: string;
  readonly remaining: number;
  /** How much the limit allows, where the vendor says it. */
  readonly allowed?: number;
  /** ms from the answer's head until the limit is whole again. */
  readonly resetsInMs: number;
}

export interface ModelFinish {
  readonly type: "finish";
  readonly message: AssistantMessage;
  readonly reason: FinishReason;
  /** The vendor's own word, where it says more than `reason`. */
  readonly rawReason?: string;
  readonly usage: Usage;
  readonly responseId?: string;
}

/** What went wrong with a model call, as data. Messages hold no secrets. */
export interface ProviderFailure {
  readonly code:
    | "provider.http"
    /** The conversation is longer than the model's window: a shorter one may pass, the same one never. */
    | "provider.context"
    | "provider.network"
    | "provider.stream"
    | "provider.timeout"
    | "provider.unavailable"
    | "provider.protocol"
    | "provider.auth";
  readonly provider: string;
  readonly message: string;
  readonly status?: number;
  readonly vendorCode?: string;
  readonly requestId?: string;
  readonly retryable: boolean;
  /** The vendor's hint (`Retry-After`, `retry-after-ms`), in ms. */
  readonly retryAfterMs?: number;
  /** What the user should do. */
  readonly hint?: string;
}
