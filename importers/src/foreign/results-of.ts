import type { ForeignEntry, ForeignResult } from "./foreign-session.ts";

/** The results of a session by their calls, each given out once. */
export interface Results {
  /** The next result of a call of this id; `undefined`: there is none. */
  take(callId: string): ForeignResult | undefined;
  /** How many belong to no call. */
  unused(): number;
}

export function resultsOf(entries: readonly ForeignEntry[]): Results {
  const waiting = new Map<string, ForeignResult[]>();
  for (const entry of entries) {
    if (entry.type === "result") waiting.set(entry.callId, [...(waiting.get(entry.callId) ?? []), entry]);
  }
  return {
    take: (callId) => waiting.get(callId)?.shift(),
    unused: () => [...waiting.values()].reduce((count, results) => count + results.length, 0),
  };
}
