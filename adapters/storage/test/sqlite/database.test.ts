import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { builtIn, loadSqlite, prebuiltBinary } from "../../src/sqlite/database.ts";

test("where there is no SQLite the error says what would bring one", () => {
  expect(() => loadSqlite([() => undefined, refuses])).toThrow(
    expect.objectContaining({
      code: "storage.unavailable",
      message: expect.stringContaining(`${process.platform}-${process.arch} with Node ${process.version}`),
      hint: expect.stringMatching(/^Use Node 22\.16 or later/),
    }),
  );
});

test("a way that fails, or gives something else, leaves the next one to be tried", () => {
  expect(loadSqlite([refuses, () => ({}), prebuiltBinary])).toBeTypeOf("function");
});

test("loading Node's own leaves warnings as they were, and receives none", () => {
  const before = process.listenerCount("warning");
  const loaded = builtIn(createRequire(import.meta.url));
  // Node 20 has none; a version whose databases cannot tell of a transaction does not count.
  const major = Number.parseInt(process.versions.node, 10);
  expect(loaded === undefined).toBe(major < 22);
  expect(process.listenerCount("warning")).toBe(before);
});

test.each(["first", "second"])("what was loaded opens a database (%s time)", () => {
  const database = new (loadSqlite())(":memory:", { timeout: 100, defensive: true });
  expect(database.isTransaction).toBe(false);
  database.exec("BEGIN");
  expect(database.isTransaction).toBe(true);
  database.exec("ROLLBACK");
  database.close();
});

const refuses = (): never => {
  throw new Error("no binary");
};
