import { createHash } from "node:crypto";
import type { StepId } from "@capstan/protocol";

/** 160 bits: no two requests ever share them by chance, and no vendor's limit is near. */
const keyCharacters = 40;

/**
 * The header by which a vendor knows a request again that was sent before: the same for every attempt of a step, also after a
 * restart, and another for each step. The body counts too, because a key that comes back with another body is refused: an attempt
 * that may cost less is another request.
 */
export function idempotencyHeader(stepId: StepId | undefined, body: string): Readonly<Record<string, string>> {
  if (stepId === undefined) return {};
  const key = createHash("sha256").update(stepId).update("\n").update(body).digest("hex");
  return { "idempotency-key": `capstan-${key.slice(0, keyCharacters)}` };
}
