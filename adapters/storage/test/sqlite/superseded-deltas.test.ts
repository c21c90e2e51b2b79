import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { connect } from "../../src/sqlite/connection.ts";
import { loadSqlite } from "../../src/sqlite/database.ts";
import { deleteScope } from "../../src/sqlite/store-journal.ts";
import { type Folder, makeFolder } from "../folder.ts";

let folder: Folder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => folder.remove());

test("what a finished step supersedes is found by its index, however long the session is", async () => {
  const path = folder.path("capstan.db");
  await (await openSqliteStore({ path })).close();
  const connection = connect(loadSqlite(), path, 1000);
  const plan = connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${deleteScope}`, "01a", "step");
  connection.close();
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringContaining("INDEX events_by_scope (session_id=? AND scope=?)"),
  ]);
});
