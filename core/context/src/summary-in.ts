import type { ModelFinish, RetryPolicy } from "@capstan/protocol";
import { summaryRetry } from "./limits.ts";

/** The summary that a model gave; `problem`: what it gave is none. */
export function summaryIn({ message, reason }: ModelFinish): {
  readonly text: string;
  readonly problem: string | null;
} {
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = texts.join("\n").trim();
  const isWhole = text !== "" && reason === "stop";
  return { text, problem: isWhole ? null : `the model gave no whole summary (${reason})` };
}

/** How often a summary is asked for; who is to be asked less often is asked less often for it, too. */
export function summaryPolicy(set: RetryPolicy): RetryPolicy {
  return {
    ...set,
    maxAttempts: Math.min(summaryRetry.maxAttempts, set.maxAttempts),
    baseDelayMs: Math.min(summaryRetry.baseDelayMs, set.baseDelayMs),
    maxDelayMs: Math.min(summaryRetry.maxDelayMs, set.maxDelayMs),
  };
}
