import { deltaScope, type JournalRecord, supersededScope } from "@capstan/protocol";

/** The journal as a store keeps it: without the deltas that a later record made superfluous. */
export function pruned(journal: readonly JournalRecord[]): readonly JournalRecord[] {
  return journal.reduce<readonly JournalRecord[]>((kept, record) => {
    const scope = supersededScope(record);
    return [...(scope === undefined ? kept : kept.filter((earlier) => deltaScope(earlier) !== scope)), record];
  }, []);
}
