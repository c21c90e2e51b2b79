import { inertText } from "@capstan/patterns";
import { type CompactionRecord, type JournalRecord, unreachable } from "@capstan/protocol";
import type { CompactionCell } from "./cell.ts";
import { asItStands } from "./close-cells.ts";
import { retryCell } from "./retry-cell.ts";
import { addSpending } from "./spending.ts";
import { changeCell, nextCell, type Transcript, withCell, withWork } from "./transcript.ts";

export function reduceCompaction(transcript: Transcript, record: CompactionRecord, at: number): Transcript {
  switch (record.type) {
    case "compaction-started": {
      const { stepId, messageCount } = record;
      const { compaction } = transcript.work;
      const closed = compaction === null ? transcript : changeCell(transcript, compaction.cell, asItStands);
      const opened = withWork(closed, { compaction: { stepId, cell: nextCell(closed) }, retry: null });
      return withCell(opened, { type: "compaction", at, isFinal: false, messageCount, state: { type: "running" } });
    }
    case "compaction-completed": {
      const done = endCompaction(withCost(transcript, record), record.stepId, {
        type: "done",
        summary: inertText(record.summary),
      });
      // What was counted is no longer what the model is shown.
      return { ...done, measured: null, summaries: done.summaries + 1 };
    }
    case "compaction-failed":
      return endCompaction(withCost(transcript, record), record.stepId, {
        type: "failed",
        message: inertText(record.message),
      });
    case "compaction-selected":
      return withNotice({ ...transcript, measured: null }, chosenText(record), at);
    case "compaction-edited":
      return withNotice({ ...transcript, measured: null }, "A user changed the words of the summary.", at);
    case "results-shortened":
      return { ...transcript, measured: null };
    // What the model is shown stays as it is, and so does what a screen shows.
    case "summary-started":
    case "results-kept":
      return transcript;
    case "summary-made":
      return { ...withCost(transcript, record), summaries: transcript.summaries + 1 };
    case "summary-dropped":
      return withCost(transcript, record);
    default:
      return unreachable(record);
  }
}

/** A turn that waited for a summary, or beside which one was made, paid for it. */
function withCost(transcript: Transcript, record: CompactionRecord): Transcript {
  const { turn } = transcript.work;
  if (turn === null) return transcript;
  return withWork(transcript, { turn: { ...turn, spending: addSpending(turn.spending, record) } });
}

/** What the engine chose is said by the notice beside it; what a user chose stands for itself. */
function chosenText({ reason }: Extract<CompactionRecord, { type: "compaction-selected" }>): string | null {
  switch (reason) {
    case "undone":
      return "The compaction was undone: the model is shown what it stood for.";
    case "redone":
      return "The model is shown the summary of earlier messages again.";
    case "smaller-window":
    case "larger-window":
      return null;
    default:
      return unreachable(reason);
  }
}

function withNotice(transcript: Transcript, text: string | null, at: number): Transcript {
  if (text === null) return transcript;
  return withCell(transcript, { type: "notice", at, isFinal: true, level: "info", code: "context.changed", text });
}

function endCompaction(transcript: Transcript, stepId: string, state: CompactionCell["state"]): Transcript {
  const { compaction } = transcript.work;
  if (compaction?.stepId !== stepId) return transcript;
  const ended = withWork(transcript, { compaction: null, retry: null });
  return changeCell(ended, compaction.cell, (cell) =>
    cell.type === "compaction" ? { ...cell, isFinal: true, state } : cell,
  );
}

/** A summary is a model call, too. */
export function retryCompaction(
  transcript: Transcript,
  record: Extract<JournalRecord, { type: "step-retrying" }>,
  at: number,
): Transcript {
  const { compaction } = transcript.work;
  if (compaction?.stepId !== record.stepId) return transcript;
  const noted = withWork(transcript, { retry: { cell: compaction.cell } });
  return changeCell(noted, compaction.cell, ({ at: begunAt }) => retryCell(record, begunAt, at));
}
