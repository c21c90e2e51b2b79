import {
  canonicalJson,
  type FinishReason,
  type JournalRecord,
  type ToolCallBlock,
  type ToolOutcome,
  type TurnLimits,
  utf8Length,
} from "@capstan/protocol";
import { argumentsTooLarge, malformedArguments, outcomes, repeatedCall, tooManyCalls } from "@capstan/wording";
import { andThen, type Decision, decision, nothing } from "../../model/decision.ts";
import type { SessionState } from "@capstan/session";
import { advanceBatch } from "./advance-batch.ts";
import { finished } from "./finish-call.ts";
import { countRepetitions, type Repetition } from "@capstan/policy";

/**
 * Answers the calls that must not run at all, and asks for the actions of the others.
 * @param repeatedBefore  the repeated-call guard's memory before this batch
 */
export function openBatch(state: SessionState, reason: FinishReason, repeatedBefore: Repetition): Decision {
  const { operation, config } = state;
  if (operation.type !== "tool-loop" || config === null) return nothing;
  const calls = operation.batch.calls.map((pending) => pending.call);
  const refused = isWhole(reason)
    ? refusals(calls, config.limits, repeatedBefore)
    : calls.map(() => outcomes.incomplete);
  const records = calls.flatMap((call, index): readonly JournalRecord[] => {
    const outcome = refused[index];
    return outcome === undefined ? [] : [finished(call.callId, outcome)];
  });
  const good = calls.filter((_, index) => refused[index] === undefined);
  if (good.length === 0) return andThen(state, decision(records), advanceBatch);
  return decision(records, [{ type: "prepare-actions", stepId: operation.batch.stepId, calls: good }]);
}

/** Only these reasons vouch for whole calls: after a cut, even arguments that parse may lack their end. */
function isWhole(reason: FinishReason): boolean {
  return reason === "tool-calls" || reason === "stop" || reason === "pause";
}

function refusals(
  calls: readonly ToolCallBlock[],
  limits: TurnLimits,
  repeatedBefore: Repetition,
): readonly (ToolOutcome | undefined)[] {
  const repetitions = countRepetitions(repeatedBefore, calls);
  return calls.map((call, index) => {
    if (index >= limits.maxToolCallsPerBatch) return tooManyCalls(limits.maxToolCallsPerBatch);
    if (call.arguments.type === "malformed") return malformedArguments(call.arguments.problem);
    const bytes = utf8Length(canonicalJson(call.arguments.value));
    if (bytes > limits.maxToolArgumentsBytes) return argumentsTooLarge(bytes, limits.maxToolArgumentsBytes);
    const count = repetitions[index]?.count ?? 1;
    return count >= limits.maxIdenticalCalls ? repeatedCall(call.name, count) : undefined;
  });
}
