import type { SessionConfig } from "@capstan/protocol";
import type { Transcript } from "../transcript/transcript.ts";

/** How full the model's window is. */
export interface ContextGauge {
  /** What the vendor counted of the last call and its answer; `null`: not known, or no longer true. */
  readonly usedTokens: number | null;
  readonly windowTokens: number;
  /** 0 to 1; `null` where either is not known. */
  readonly share: number | null;
  /** Summaries of older messages that were made. */
  readonly summaries: number;
}

export function contextGauge({
  measured,
  config,
  summaries,
}: Pick<Transcript, "measured" | "config" | "summaries">): ContextGauge | null {
  if (config === null) return null;
  const windowTokens = windowOf(config, measured?.model);
  const usedTokens = measured?.tokens ?? null;
  const share = usedTokens === null || windowTokens <= 0 ? null : Math.min(1, usedTokens / windowTokens);
  return { usedTokens, windowTokens, share, summaries };
}

/** `2.1k / 200k (1 %) [3 summaries]` */
export function gaugeText({ usedTokens, windowTokens, share, summaries }: ContextGauge): string {
  const used = usedTokens === null ? "?" : tokensText(usedTokens);
  const made = summaries === 0 ? "" : ` [${summaries} ${summaries === 1 ? "summary" : "summaries"}]`;
  return `${used} / ${tokensText(windowTokens)}${share === null ? "" : ` (${Math.round(share * 100)} %)`}${made}`;
}

/** `950`, `2.1k`, `200k`, `1.5M` */
export function tokensText(tokens: number): string {
  const count = Math.max(0, Math.round(tokens));
  if (count < 1000) return String(count);
  if (count < 999_500) return `${scaled(count / 1000)}k`;
  return `${scaled(count / 1_000_000)}M`;
}

/** One decimal below ten, none above, and none that is zero. */
function scaled(value: number): string {
  const rounded = value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);
  return String(rounded);
}

/** Of the model that answered: a turn may have had to turn to a fallback. */
function windowOf({ model, fallbacks }: SessionConfig, answered: string | undefined): number {
  const asked = [model, ...fallbacks].find(({ provider, id }) => `${provider}/${id}` === answered);
  return (asked ?? model).contextWindowTokens;
}
