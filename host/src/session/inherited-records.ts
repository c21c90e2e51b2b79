import type { JournalRecord, SessionEvent } from "@capstan/protocol";

/**
 * The events of a session as a copy of it takes them over. A command that was under way is the original's: its processes may
 * be alive there, and the original may start it yet. Without its run's name the copy finds and ends nothing of it, and proves
 * nothing: to the copy it is in doubt.
 */
export function inheritedEvents(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const ended = new Set<string>();
  const inherited = events.toReversed().map((event) => {
    if (event.record.type === "tool-finished") ended.add(event.record.callId);
    return { ...event, record: inheritedRecord(event.record, ended) };
  });
  return inherited.toReversed();
}

function inheritedRecord(record: JournalRecord, ended: ReadonlySet<string>): JournalRecord {
  if (record.type !== "tool-started" || ended.has(record.callId)) return record;
  return { ...record, settle: { files: record.settle.files } };
}
