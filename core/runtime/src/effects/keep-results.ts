import { resultsToKeep } from "@capstan/context";
import type { SessionState } from "@capstan/session";
import type { ToolCatalog } from "@capstan/ports";
import type { JournalRecord } from "@capstan/protocol";

type Kept = Extract<JournalRecord, { type: "results-kept" }>["files"];

/** Puts the results that the model is shown cut into files, so that it can read them in parts. One that cannot be written stays cut. */
export async function keepResults(state: SessionState, { keepResult }: ToolCatalog): Promise<Kept> {
  if (keepResult === undefined) return [];
  return Promise.all(
    resultsToKeep(state).map(async ({ callId, content }) => {
      const path = await keepResult(state.sessionId, callId, content).catch(() => null);
      return { callId, path };
    }),
  );
}
