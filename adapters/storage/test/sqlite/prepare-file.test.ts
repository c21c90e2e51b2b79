import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { AppError } from "@capstan/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSqliteStore } from "../../src/index.ts";
import { isNetworkFileSystem } from "../../src/sqlite/prepare-file.ts";
import { type Folder, makeFolder } from "../folder.ts";

let folder: Folder;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => folder.remove());

test("what is made is for its owner alone", async () => {
  const path = folder.path("home", "deeper", "capstan.db");
  const store = await openSqliteStore({ path });
  const modes = ["", "-wal", "-shm"].map((suffix) => modeOf(`${path}${suffix}`));
  expect(modes).toEqual([0o600, 0o600, 0o600]);
  expect([modeOf(folder.path("home")), modeOf(folder.path("home", "deeper"))]).toEqual([0o700, 0o700]);
  await store.close();
});

test("a place where no database can be is storage.unavailable, and names it", async () => {
  writeFileSync(folder.path("file"), "in the way");
  mkdirSync(folder.path("folder"));
  symlinkSync("/dev/null", folder.path("link"));
  const places = [
    folder.path("file", "capstan.db"),
    folder.path("file", "deeper", "capstan.db"),
    folder.path("folder"),
    folder.path("link"),
    "/proc/capstan/capstan.db",
  ];
  for (const place of places) {
    // oxlint-disable-next-line no-await-in-loop -- one place after the other
    expect(await refusal(place)).toEqual({ code: "storage.unavailable", isNamed: true, hasHint: true });
  }
});

test("a file that is not a database is storage.corrupt, and stays as it is", async () => {
  const contents = [
    "x",
    "not a database\n".repeat(1000),
    "\0".repeat(100),
    "\0".repeat(8192),
    "SQLite format 3\0".padEnd(4096, "\0"),
  ];
  for (const [index, content] of contents.entries()) {
    const path = folder.path(`garbage-${index}.db`);
    writeFileSync(path, content);
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    expect(await refusal(path)).toEqual({ code: "storage.corrupt", isNamed: true, hasHint: true });
    expect(readFileSync(path, "latin1")).toBe(content);
  }
});

test("file systems of other machines are known by their numbers", () => {
  const [nfs, cifs, ext4, tmpfs, overlay] = [0x6969, 0xff534d42, 0xef53, 0x01021994, 0x794c7630];
  expect([nfs, cifs, ext4, tmpfs, overlay].map(isNetworkFileSystem)).toEqual([true, true, false, false, false]);
});

async function refusal(path: string): Promise<unknown> {
  try {
    await openSqliteStore({ path });
    return "opened";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, isNamed: error.message.startsWith(path), hasHint: error.hint !== undefined };
  }
}

function modeOf(path: string): number {
  return statSync(path).mode % 0o1000;
}
