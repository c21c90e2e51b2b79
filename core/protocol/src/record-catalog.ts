import type { JournalRecord } from "./record.ts";

/**
 * `flushed`: on disk before anything follows. `committed`: survives a killed process, a power cut may take it.
 * `delta`: committed, and pruned by the record that supersedes it.
 */
export type Durability = "flushed" | "committed" | "delta";

interface RecordTraits {
  readonly durability: Durability;
  /** One sentence for docs/reference/records.md. */
  readonly about: string;
}

/** Every record type with its durability and meaning; docs/reference/records.md is made from it. */
export const recordCatalog: Readonly<Record<JournalRecord["type"], RecordTraits>> = {
  "session-started": { durability: "flushed", about: "First record of a journal: who, where, which version." },
  "session-configured": {
    durability: "committed",
    about: "Model, mode, rules, limits, system prompt and tools from here on.",
  },
  "session-titled": {
    durability: "flushed",
    about: "A user gave the session a title; the last one counts, and a rewind does not take it back.",
  },
  "session-recovered": { durability: "flushed", about: "A process opened the journal and found work in flight." },
  "turn-started": { durability: "flushed", about: "What a user said; a turn begins." },
  "context-packed": {
    durability: "committed",
    about: "Facts about the workspace that are new or changed since the model last read them.",
  },
  "turn-ended": {
    durability: "flushed",
    about: "The turn's outcome; a rolled-back turn hands its text back as a draft.",
  },
  "step-started": { durability: "committed", about: "A model call is about to be made." },
  "text-delta": { durability: "delta", about: "A piece of the answer." },
  "thinking-delta": { durability: "delta", about: "A piece of the model's thinking." },
  "tool-arguments-delta": { durability: "delta", about: "A piece of a call's arguments." },
  "step-retrying": {
    durability: "committed",
    about: "The model call failed and will be made again; what was shown of it is void.",
  },
  "step-completed": {
    durability: "committed",
    about: "The whole answer of one model call, with usage and finish reason.",
  },
  "step-abandoned": {
    durability: "committed",
    about: "The step gave no whole answer; keeps the text that had been shown.",
  },
  "tool-decided": {
    durability: "committed",
    about:
      "The gatekeeper's word on a call, with the exact action it judged; another one where that action has become another, or is no longer allowed after a restart.",
  },
  "tool-deferred": {
    durability: "committed",
    about: "A call may need what a call before it leaves: it is prepared, and judged, when those before it have ended.",
  },
  "tool-started": {
    durability: "flushed",
    about: "The intent to run a call, with what is needed to settle it after a crash.",
  },
  "tool-output-delta": { durability: "delta", about: "A piece of a running command's output." },
  "tool-probed": {
    durability: "flushed",
    about: "What could be proved, after a crash, of a call that was under way.",
  },
  "tool-restarted": {
    durability: "flushed",
    about:
      "A call that a crash interrupted is to run again: it was proved not to have happened, somebody chose so, or it is a read that is judged again.",
  },
  "tool-finished": {
    durability: "flushed",
    about: "How a call ended, what it changed and which file versions the model has seen.",
  },
  "tool-effects": {
    durability: "committed",
    about: "What a call that was cancelled while it ran did to files.",
  },
  "interaction-opened": { durability: "flushed", about: "Something waits for a user." },
  "interaction-resolved": { durability: "flushed", about: "A user's answer, or the end of the wait." },
  "grant-added": {
    durability: "flushed",
    about: "A user's approval is remembered: an allow rule, with its scope and where it came from.",
  },
  "grant-revoked": {
    durability: "committed",
    about: "A remembered approval was revoked since it was given; its rule holds no more in this session.",
  },
  "call-edited": {
    durability: "flushed",
    about: "A user changed the arguments of a call; it is prepared and judged again.",
  },
  "compaction-started": { durability: "committed", about: "Older messages are being summarised." },
  "compaction-completed": {
    durability: "flushed",
    about: "A summary stands in for older messages; the originals stay.",
  },
  "results-kept": {
    durability: "committed",
    about: "Results that the model sees cut are in files, from which it can read them in parts.",
  },
  "summary-started": { durability: "committed", about: "Older messages are being summarised beside the turn." },
  "summary-made": { durability: "committed", about: "The summary is ready for when the originals have no room." },
  "summary-dropped": { durability: "committed", about: "The summary could not be made, or would have saved nothing." },
  "compaction-failed": { durability: "committed", about: "The summary could not be made; nothing changed." },
  "compaction-selected": {
    durability: "committed",
    about: "The model sees another summary that was made before, or the originals.",
  },
  "compaction-edited": { durability: "flushed", about: "A user changed the words of a summary." },
  "results-shortened": {
    durability: "committed",
    about: "The model sees the beginning and the end of long tool results, so that the newest messages fit.",
  },
  "turn-queued": { durability: "flushed", about: "A user's input that waits for the running work to end." },
  "queue-changed": { durability: "flushed", about: "A waiting input was changed, moved, removed or handed back." },
  "turn-steered": {
    durability: "flushed",
    about: "Words for the open turn, which the model reads before its next step.",
  },
  "rewind-started": { durability: "flushed", about: "Turns are taken back, or brought back; files come first." },
  "rewind-finished": {
    durability: "flushed",
    about: "Which files were restored, and which were left alone because somebody else had changed them.",
  },
  "proposals-applying": {
    durability: "flushed",
    about: "A user applies proposed changes; the files are about to change.",
  },
  "proposals-applied": {
    durability: "flushed",
    about:
      "Which proposed changes are in the files, and which were left alone because somebody else had changed the file.",
  },
  "proposals-refused": {
    durability: "flushed",
    about: "A user refused proposed changes; nothing of them was ever there.",
  },
  "hook-started": { durability: "flushed", about: "Hooks are about to run; a crash does not run them again." },
  "hook-finished": { durability: "flushed", about: "What became of each hook, and what they answered together." },
  notice: { durability: "committed", about: "A line for people that the model never sees." },
};

/** The step or call a delta belongs to; `undefined` for records that are kept. */
export function deltaScope(record: JournalRecord): string | undefined {
  switch (record.type) {
    case "text-delta":
    case "thinking-delta":
    case "tool-arguments-delta":
      return record.stepId;
    case "tool-output-delta":
      return record.callId;
    default:
      return undefined;
  }
}

/** The step or call whose deltas this record makes superfluous. */
export function supersededScope(record: JournalRecord): string | undefined {
  switch (record.type) {
    case "step-retrying":
    case "step-completed":
    case "step-abandoned":
    case "compaction-completed":
    case "compaction-failed":
      return record.stepId;
    case "tool-finished":
      return record.callId;
    default:
      return undefined;
  }
}

/**
 * Whether an append must reach the disk before it is acknowledged. The outcome of a read-only call changes nothing in the
 * world, so callers name the read-only calls whose start and end need no flush.
 * @param readOnly  says whether the call with this id only reads
 */
export function needsFlush(records: readonly JournalRecord[], readOnly: (callId: string) => boolean): boolean {
  return records.some((record) => {
    if (record.type === "tool-started" || record.type === "tool-finished") return !readOnly(record.callId);
    return recordCatalog[record.type].durability === "flushed";
  });
}
