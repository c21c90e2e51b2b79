import { type JournalRecord, type SessionEvent, toInteractionId, toToolCallId, toTurnId } from "@capstan/protocol";
import type { SessionStore } from "@capstan/ports";
import { action, lookedSession } from "@capstan/testkit";
import { onTestFinished } from "vitest";
import type { DataDirectory } from "@capstan/settings";
import { type Database, loadSqlite } from "../../adapters/storage/src/sqlite/database.ts";
import { openSessions } from "../../host/src/exchange/open-sessions.ts";
import { newPlace } from "../../host/test/host-place.ts";

export const { id, records } = lookedSession;

const turnId = toTurnId("turn-1");
const look = action("look");
const callId = toToolCallId("call-1");

/** A question about a call, after the first `count` records. */
export const question: JournalRecord = {
  type: "interaction-opened",
  turnId,
  interaction: {
    id: toInteractionId("turn-1.s1.i1"),
    request: { type: "approval", callId, action: look, reason: "it asks", risk: "low", warnings: [] },
    digest: look.digest,
    openedAt: 0,
    expiresAt: null,
    origin: { frontend: "cli" },
    answerers: [],
  },
};

export interface Patient {
  readonly store: SessionStore;
  readonly data: DataDirectory;
  events(): Promise<readonly SessionEvent[]>;
  /** Changes the database behind the store's back. */
  readonly tamper: (sql: string) => void;
}

/** A store on disk that holds these records as one session. */
export async function patient(journal: readonly JournalRecord[] = records): Promise<Patient> {
  const { store, data } = await openSessions(newPlace().home);
  onTestFinished(() => store.close());
  await store.append(id, { after: 0, at: 1_700_000_000_000, records: journal, flush: true });
  return {
    store,
    data,
    events: () => store.read(id, 0),
    tamper: (sql) => {
      const database: Database = new (loadSqlite())(data.database, { timeout: 1000, defensive: false });
      database.exec(sql);
      database.close();
    },
  };
}
