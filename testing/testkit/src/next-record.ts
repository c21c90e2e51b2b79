import type { JournalRecord } from "@capstan/protocol";
import type { SessionRuntime } from "@capstan/runtime";

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { type: Type }>;

/** The next record of a type that a session publishes. Subscribe before submitting what leads to it. */
export function nextRecord<Type extends JournalRecord["type"]>(
  session: Pick<SessionRuntime, "subscribe">,
  type: Type,
  matches: (record: Of<Type>) => boolean = () => true,
): Promise<Of<Type>> {
  return new Promise((resolve) => {
    const unsubscribe = session.subscribe(({ record }) => {
      if (!isOf(record, type) || !matches(record)) return;
      unsubscribe();
      resolve(record);
    });
  });
}

function isOf<Type extends JournalRecord["type"]>(record: JournalRecord, type: Type): record is Of<Type> {
  return record.type === type;
}
