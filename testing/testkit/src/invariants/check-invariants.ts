import { evolve } from "@capstan/session";
import type { JournalRecord } from "@capstan/protocol";
import { checkCalls } from "./check-calls.ts";
import { checkConversation } from "./check-conversation.ts";
import { checkInputs } from "./check-inputs.ts";
import { checkOperations } from "./check-operations.ts";
import { checkPlans } from "./check-plans.ts";
import { type Fold, prefixes } from "./prefix.ts";

/**
 * What a journal breaks of the design's invariants 1 to 3, 5 to 7, 9, 11 and 16, and of what plan mode promises, on every prefix.
 * @param fold  `evolve`, or a damaged one to see that the check finds it
 * @param isLookedAt  whether the model's whole request is worked out after the record of this place: the slow part
 * @returns one sentence for each offence; empty for a journal that holds
 */
export function checkInvariants(
  journal: readonly JournalRecord[],
  fold: Fold = evolve,
  isLookedAt: (at: number) => boolean = () => true,
): readonly string[] {
  const places = prefixes(journal, fold);
  const sample = places.filter(({ at }) => isLookedAt(at));
  return [
    ...checkCalls(journal),
    ...checkInputs(journal),
    ...checkOperations(places),
    ...checkPlans(places),
    ...checkConversation(places, sample),
  ];
}
