import { fold, type Operation, type SessionState } from "@capstan/session";
import { deltaScope, type JournalRecord, type SessionEvent } from "@capstan/protocol";

const said = "The journal was damaged here; whether this call took effect is not known.";

/**
 * The good beginning of a journal, at rest: pieces of unfinished answers are gone, every open call and question is closed, and
 * the turn is ended. Nothing is claimed to have succeeded.
 * @param at  ms since 1970, of the added records
 */
export function closedJournal(events: readonly SessionEvent[], at: number): readonly SessionEvent[] {
  const kept = withoutOpenRewind(events.filter(({ record }) => deltaScope(record) === undefined));
  const state = fold(kept.map((event) => event.record));
  const added = [...answersTo(kept), ...endOf(state)];
  const last = kept.at(-1)?.seq ?? 0;
  return [...kept, ...added.map((record, place) => ({ seq: last + 1 + place, at, record }))];
}

const begins: ReadonlySet<string> = new Set(["rewind-started", "proposals-applying"]);
const ends: ReadonlySet<string> = new Set(["rewind-finished", "proposals-applied"]);

/** Files that were being restored, or changed as proposed, are left as they are; the conversation is as before. */
function withoutOpenRewind(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const start = events.findLastIndex(({ record }) => begins.has(record.type));
  const isFinished = events.slice(start + 1).some(({ record }) => ends.has(record.type));
  return start === -1 || isFinished ? events : events.slice(0, start);
}

/** Questions that nobody can answer any more. */
function answersTo(events: readonly SessionEvent[]): readonly JournalRecord[] {
  const open = new Map<string, JournalRecord>();
  for (const { record } of events) {
    if (record.type === "interaction-opened") {
      const { id } = record.interaction;
      const origin = { frontend: "doctor" };
      open.set(id, { type: "interaction-resolved", interactionId: id, answer: { type: "void" }, origin });
    }
    if (record.type === "interaction-resolved") open.delete(record.interactionId);
  }
  return [...open.values()];
}

const message = "the journal was damaged here";

function endOf(state: SessionState): readonly JournalRecord[] {
  const { operation, background } = state;
  const beside: readonly JournalRecord[] =
    background === null ? [] : [{ type: "summary-dropped", stepId: background.stepId, message }];
  return [...beside, ...endOfOperation(operation)];
}

function endOfOperation(operation: Operation): readonly JournalRecord[] {
  if (operation.type === "summarizing") return [{ type: "compaction-failed", stepId: operation.stepId, message }];
  if (operation.type === "idle" || operation.type === "rewinding" || operation.type === "applying") return [];
  const { turnId } = operation.turn;
  const outcome = operation.type === "tool-loop" || operation.type === "recovery" ? "outcome-unknown" : "error";
  return [...closings(operation), { type: "turn-ended", turnId, outcome, message, rolledBack: false }];
}

function closings(operation: Operation): readonly JournalRecord[] {
  if (operation.type === "streaming")
    return [{ type: "step-abandoned", stepId: operation.step.stepId, cause: "process-died", text: "" }];
  if (operation.type !== "tool-loop" && operation.type !== "recovery") return [];
  return operation.batch.calls.flatMap(({ type, call }): readonly JournalRecord[] => {
    if (type === "settled") return [];
    const outcome = { type: "unknown", content: said } as const;
    return [{ type: "tool-finished", callId: call.callId, outcome, changes: [], observed: [], durationMs: 0 }];
  });
}
