/** An older Capstan called the frontend of an origin `face`; what it stored beside the journals is read with today's name. */
import { toSessionId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { type Folder, makeFolder } from "../folder.ts";

const id = toSessionId("01a");
const process = { id: "1", processId: 1, processStart: "", bootId: "", processNamespace: "" };

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
  const store = await openSqliteStore({ path });
  const notice = { type: "notice", level: "info", code: "sample", text: "x" } as const;
  await store.append(id, { after: 0, at: 1, records: [notice], flush: true });
  await store.close();
});
afterEach(async () => folder.remove());

function insert(statement: string, ...values: readonly (string | number)[]): void {
  const database = new (loadSqlite())(path, { timeout: 1000, defensive: true });
  try {
    database.prepare(statement).run(...values);
  } finally {
    database.close();
  }
}

test("a lease that an older process holds is still held, and names its frontend", async () => {
  const columns = "(session_id, generation, owner, beat_ms, claimed_at, held)";
  insert(`INSERT INTO leases ${columns} VALUES (?, 3, ?, 10, 5, 1)`, id, JSON.stringify({ ...process, face: "cli" }));
  const store = await openSqliteStore({ path });
  const owner = { ...process, frontend: "cli" };
  expect(await store.holder(id)).toEqual({ owner, generation: 3, beatMs: 10, claimedAt: 5 });
  const claim = { owner: { ...owner, id: "2" }, beatMs: 11, at: 6, isGone: () => false };
  expect((await store.claim(id, claim)).type).toBe("held");
  await store.close();
});
