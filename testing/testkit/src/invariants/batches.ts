import type { JournalRecord, ToolCallBlock } from "@capstan/protocol";

/** The calls of one step with everything the journal says until the batch was closed. Read from the records alone. */
export interface JournaledBatch {
  readonly calls: readonly ToolCallBlock[];
  readonly records: readonly JournalRecord[];
  /** It is a user's own command: the model reads of it in words. */
  readonly isUsers: boolean;
  /** Place of the record that closed it; `null`: still open when the journal ends. */
  readonly closedAt: number | null;
}

export function batchesOf(journal: readonly JournalRecord[]): readonly JournaledBatch[] {
  return journal.flatMap((record, at): readonly JournaledBatch[] => {
    const calls = callsOf(record);
    if (calls.length === 0) return [];
    const length = journal.slice(at + 1).findIndex((later) => closesBatch(later));
    const closedAt = length === -1 ? null : at + 1 + length;
    return [
      {
        calls,
        isUsers: record.type === "turn-started",
        records: journal.slice(at + 1, closedAt ?? undefined),
        closedAt,
      },
    ];
  });
}

/** Of a model's answer, or a user's own command. */
function callsOf(record: JournalRecord): readonly ToolCallBlock[] {
  if (record.type === "turn-started") return record.call === undefined ? [] : [record.call];
  return record.type === "step-completed" ? record.message.content.filter((block) => block.type === "tool-call") : [];
}

function closesBatch(record: JournalRecord): boolean {
  if (record.type === "interaction-opened") return record.interaction.request.type === "budget";
  return record.type === "step-started" || record.type === "turn-ended";
}
