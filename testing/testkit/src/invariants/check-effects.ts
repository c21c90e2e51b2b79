import type { Effect } from "@capstan/engine";
import type { JournalRecord } from "@capstan/protocol";
import type { Played } from "../play.ts";

/** Invariants 1 and 4 on what the engine asks for: intents first, effects once. Returns what is wrong. */
export function checkEffects({ journal, moves }: Played): readonly string[] {
  const asked = moves.reduce((count, move) => count + move.records.length, 0);
  let known = journal.length - asked;
  const effectful = new Set<string>();
  return moves.flatMap(({ records, effects }) => {
    known += records.length;
    const durable = journal.slice(0, known);
    return effects.flatMap((effect) => checkEffect(effect, durable, effectful));
  });
}

function checkEffect(effect: Effect, durable: readonly JournalRecord[], effectful: Set<string>): readonly string[] {
  switch (effect.type) {
    case "run-tool": {
      const problems = hasIntent(durable, effect) ? [] : [`${effect.callId} runs without a durable intent`];
      if (effect.action.effect === "read") return problems;
      // A call runs once for each start, and starts again only where the journal says why.
      const start = `${effect.callId} ${durable.filter((record) => isStart(record, effect.callId)).length}`;
      if (effectful.has(start)) problems.push(`${effect.callId} runs twice`);
      effectful.add(start);
      return problems;
    }
    case "call-model": {
      const last = durable.findLast((record) => isCallStart(record) && record.stepId === effect.stepId);
      const announced = last !== undefined && isCallStart(last) && last.attempt === effect.attempt;
      return announced ? [] : [`${effect.stepId} asks the model without a record`];
    }
    default:
      return [];
  }
}

function isCallStart(
  record: JournalRecord,
): record is Extract<JournalRecord, { type: "step-started" | "compaction-started" | "summary-started" }> {
  return record.type === "step-started" || record.type === "compaction-started" || record.type === "summary-started";
}

function isStart(record: JournalRecord, callId: string): boolean {
  return record.type === "tool-started" && record.callId === callId;
}

/** The last thing the journal says of the call is that this very action starts. */
function hasIntent(durable: readonly JournalRecord[], effect: Extract<Effect, { type: "run-tool" }>): boolean {
  const last = durable.findLast(
    (record) => (record.type === "tool-started" || record.type === "tool-finished") && record.callId === effect.callId,
  );
  return last?.type === "tool-started" && last.digest === effect.action.digest;
}
