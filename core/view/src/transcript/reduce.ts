import { type NoticeRecord, type SessionEvent, unreachable } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/patterns";
import { lineCharacters } from "../limits.ts";
import { proposalNotices } from "./proposal-notices.ts";
import { hookNotices } from "./hook-notices.ts";
import { reduceCall } from "./reduce-call.ts";
import { reduceCompaction } from "./reduce-compaction.ts";
import { reduceInteraction } from "./reduce-interaction.ts";
import { reduceRewind } from "./reduce-rewind.ts";
import { reduceStep } from "./reduce-step.ts";
import { reduceTurn } from "./reduce-turn.ts";
import { shownOrigin } from "./shown.ts";
import { addSpending } from "./spending.ts";
import { settle, type Transcript, withCell } from "./transcript.ts";

/**
 * One event more. Total: an event that was folded in before, or that does not fit, changes nothing. Numbers may have gaps, where
 * a record superseded the pieces before it: whoever follows live and whoever reads the journal afterwards end with equal cells.
 * What it costs does not grow with the transcript, only with the open cell that the event is about.
 */
export function reduce(transcript: Transcript, event: SessionEvent): Transcript {
  if (event.seq <= transcript.seq) return transcript;
  const counted = { ...transcript, seq: event.seq, spending: addSpending(transcript.spending, event.record) };
  return settle(apply(counted, event));
}

function apply(transcript: Transcript, event: SessionEvent): Transcript {
  const { at, record } = event;
  switch (record.type) {
    case "session-started":
      return { ...transcript, session: startOf(record, at) };
    case "session-configured":
      return { ...transcript, config: record.config };
    case "session-titled":
      return { ...transcript, title: inertLine(record.title, lineCharacters) };
    case "session-recovered":
      return withCell(transcript, { type: "recovery", at, isFinal: true, found: inertText(record.found) });
    case "turn-queued":
    case "queue-changed":
    case "turn-steered":
    case "turn-started":
    case "context-packed":
    case "turn-ended":
      return reduceTurn(transcript, record, at);
    case "step-started":
    case "text-delta":
    case "thinking-delta":
    case "tool-arguments-delta":
    case "step-retrying":
    case "step-completed":
    case "step-abandoned":
      return reduceStep(transcript, record, at);
    case "tool-decided":
    case "tool-started":
    case "tool-deferred":
    case "tool-probed":
    case "tool-restarted":
    case "tool-output-delta":
    case "tool-finished":
    case "tool-effects":
    case "call-edited":
      return reduceCall(transcript, record, at);
    case "interaction-opened":
    case "interaction-resolved":
    case "grant-added":
    case "grant-revoked":
      return reduceInteraction(transcript, record, at);
    case "compaction-started":
    case "compaction-completed":
    case "compaction-failed":
    case "compaction-selected":
    case "compaction-edited":
    case "results-shortened":
    case "results-kept":
    case "summary-started":
    case "summary-made":
    case "summary-dropped":
      return reduceCompaction(transcript, record, at);
    case "rewind-started":
    case "rewind-finished":
      return reduceRewind(transcript, record, at);
    case "proposals-applying":
    case "proposals-applied":
    case "proposals-refused":
      return proposalNotices(record).reduce((made, notice) => withNotice(made, at, notice), transcript);
    case "hook-started":
      return transcript;
    case "hook-finished":
      return hookNotices(record).reduce((made, notice) => withNotice(made, at, notice), transcript);
    case "notice":
      return withNotice(transcript, at, record);
    default:
      return unreachable(record);
  }
}

function startOf(
  { sessionId, workspace, origin, version }: Extract<SessionEvent["record"], { type: "session-started" }>,
  at: number,
): Transcript["session"] {
  return { sessionId, workspace, origin: shownOrigin(origin), version, at };
}

function withNotice(transcript: Transcript, at: number, { level, code, text }: Omit<NoticeRecord, "type">): Transcript {
  return withCell(transcript, { type: "notice", at, isFinal: true, level, code, text: inertText(text) });
}
