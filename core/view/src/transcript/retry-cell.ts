import { inertText } from "@capstan/patterns";
import type { JournalRecord } from "@capstan/protocol";
import type { RetryCell } from "./cell.ts";

type StepRetrying = Extract<JournalRecord, { type: "step-retrying" }>;

/** What stands where a failed attempt stood. */
export function retryCell({ failure, attempt, delayMs }: StepRetrying, begunAt: number, failedAt: number): RetryCell {
  const message = inertText(failure.message);
  return { type: "retry", at: begunAt, isFinal: true, message, attempt: attempt + 1, failedAt, delayMs };
}
