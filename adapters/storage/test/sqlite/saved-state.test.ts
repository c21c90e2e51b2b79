import { toSessionId } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { type Folder, makeFolder } from "../folder.ts";

const id = toSessionId("01a");

let folder: Folder;
let path: string;
beforeEach(async () => {
  folder = await makeFolder();
  path = folder.path("capstan.db");
});
afterEach(async () => folder.remove());

test("a saved state that cannot be read, or is ahead of its journal, is not loaded", async () => {
  const store = await openSqliteStore({ path });
  const record = { type: "notice", level: "info", code: "sample", text: "x" } as const;
  await store.append(id, { after: 0, at: 1, records: [record], flush: false });
  for (const damage of ["body = '{'", "body = ''", "seq = 2", "format = 'g'"]) {
    /* oxlint-disable no-await-in-loop -- one after the other */
    await store.saveState(id, { seq: 1, format: "f", state: { whole: true } });
    expect(await store.loadState(id, "f")).toEqual({ seq: 1, format: "f", state: { whole: true } });
    const database = new (loadSqlite())(path, { timeout: 1000, defensive: false });
    database.exec(`UPDATE saved_states SET ${damage}`);
    database.close();
    expect(await store.loadState(id, "f")).toBeNull();
    /* oxlint-enable no-await-in-loop */
  }
  await store.close();
});
