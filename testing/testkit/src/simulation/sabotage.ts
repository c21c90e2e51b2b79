import type { Finding, JournalRecord, SessionEvent } from "@capstan/protocol";
import type { SentAnswer } from "../invariants/check-answers.ts";

/** A deliberate mistake in a part of the engine's surroundings, to see that the checks find it. */
export interface Sabotage {
  /** What a process reads when it opens the journal. */
  readonly read?: (events: readonly SessionEvent[]) => readonly SessionEvent[];
  /** What the store keeps of what it was given. */
  readonly keep?: (record: JournalRecord) => JournalRecord;
  /** What a process takes an answer for that somebody sent. */
  readonly received?: (sent: SentAnswer) => SentAnswer;
  /** What a look at an interrupted call says. */
  readonly probe?: (truth: Finding) => Finding;
}

const forgotten: JournalRecord = { type: "notice", level: "info", code: "sabotage", text: "something was forgotten" };

/** By name. */
export const sabotages: Readonly<
  Record<"repeats-effects" | "drops-outcomes" | "forgets-starts" | "forges-answers" | "forgets-answers", Sabotage>
> = {
  /** What another user says is read as if the user had said it. */
  "forges-answers": {
    received: (sent) => ({ ...sent, origin: { frontend: "cli", user: "tester" } }),
  },
  /** What was answered is asked again by the next process. */
  "forgets-answers": {
    read: (events) =>
      events.map((event) => (event.record.type === "interaction-resolved" ? { ...event, record: forgotten } : event)),
  },
  /** What was under way when the process died is taken for untouched, and runs again. */
  "repeats-effects": {
    probe: () => ({ type: "untouched", text: "It did not happen, surely." }),
  },
  "drops-outcomes": {
    keep: (record) => (record.type === "tool-finished" ? forgotten : record),
  },
  "forgets-starts": {
    read: (events) =>
      events.map((event) => (event.record.type === "tool-started" ? { ...event, record: forgotten } : event)),
  },
};
