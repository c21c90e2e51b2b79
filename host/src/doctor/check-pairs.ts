import type { JournalRecord, SessionEvent } from "@capstan/protocol";

/** Calls of closed batches without an outcome or with two, and records of calls that nobody made. @returns one sentence for each offence */
export function pairProblems(events: readonly SessionEvent[]): readonly string[] {
  const problems: string[] = [];
  let open = new Map<string, number>();
  for (const { seq, record } of events) {
    if (closesBatch(record)) {
      for (const [id, outcomes] of open)
        if (outcomes === 0) problems.push(`call ${id} has no outcome, though record ${seq} goes on after it`);
      open = new Map();
    }
    if (record.type === "step-completed") {
      for (const block of record.message.content) if (block.type === "tool-call") open.set(block.callId, 0);
    }
    if (record.type === "tool-finished") {
      const outcomes = open.get(record.callId);
      if (outcomes === undefined) problems.push(`record ${seq} ends call ${record.callId}, which nobody made`);
      else if (outcomes > 0) problems.push(`record ${seq} ends call ${record.callId} a second time`);
      else open.set(record.callId, 1);
    }
  }
  return problems;
}

function closesBatch(record: JournalRecord): boolean {
  if (record.type === "interaction-opened") return record.interaction.request.type === "budget";
  return record.type === "step-started" || record.type === "turn-ended";
}
