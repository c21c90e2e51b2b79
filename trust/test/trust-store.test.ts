import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listTrust, readTrust, removeTrust, writeTrust } from "../src/trust-store.ts";
import { type TrustPlaces, trustPlaces } from "./trust-place.ts";

/** A folder that is trusted, and the file that says so. */
async function trusted(): Promise<TrustPlaces & { readonly store: string; readonly file: string }> {
  const place = trustPlaces();
  place.write("AGENTS.md", "words\n");
  await place.trust();
  const store = join(place.home, "trust");
  const [name = ""] = readdirSync(store);
  return { ...place, store, file: join(store, name) };
}

test("an entry is its owner's alone, and says what was trusted and what it said", async () => {
  const { home, repository, store, file } = await trusted();
  expect([lstatSync(store).mode & 0o777, lstatSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readdirSync(store).length).toBe(1);
  expect(readTrust(home, repository)).toMatchObject({
    type: "entry",
    entry: {
      folder: { path: repository },
      trustedAt: 1000,
      files: [{ name: "AGENTS.md", class: "instructions", text: "words\n" }],
    },
  });
});

test("what is forgotten is not trusted any more", async () => {
  const { home, repository, decide } = await trusted();
  expect(listTrust(home).entries.map((entry) => entry.folder.path)).toEqual([repository]);
  expect([removeTrust(home, repository), removeTrust(home, repository)]).toEqual([true, false]);
  expect([listTrust(home).entries, (await decide()).trusted]).toEqual([[], false]);
  expect(removeTrust(join(home, "nowhere"), repository)).toBe(false);
});

test("a link in the place of an entry or of the store is not followed", async () => {
  const { root, home, repository, store, file, decide } = await trusted();
  renameSync(file, join(root, "entry"));
  symlinkSync(join(root, "entry"), file);
  expect(readTrust(home, repository)).toEqual({ type: "refused", reason: `${file} is ignored: it is a link` });
  expect((await decide()).notices[0]?.text).toBe(
    `what is trusted cannot be determined: ${file} is ignored: it is a link`,
  );
  renameSync(store, join(root, "store"));
  symlinkSync(join(root, "store"), store);
  expect(readTrust(home, repository)).toEqual({ type: "refused", reason: `${store} is ignored: it is no folder` });
  await expect(writeTrust(home, entryOf(repository))).rejects.toMatchObject({ code: "trust.store" });
});

test("writing replaces a link, and leaves what it led to as it was", async () => {
  const { root, home, repository, file } = await trusted();
  writeFileSync(join(root, "victim"), "precious");
  renameSync(file, join(root, "entry"));
  symlinkSync(join(root, "victim"), file);
  await writeTrust(home, entryOf(repository));
  expect([readFileSync(join(root, "victim"), "utf8"), lstatSync(file).isFile()]).toEqual(["precious", true]);
});

test("an entry or a store that others may write to is refused with the reason", async () => {
  const { home, repository, store, file, decide } = await trusted();
  for (const mode of [0o620, 0o602, 0o666]) {
    chmodSync(file, mode);
    expect(readTrust(home, repository)).toMatchObject({
      type: "refused",
      reason: `${file} is ignored: others may write to it (mode 0${mode.toString(8)}); use \`chmod go-w\``,
    });
    expect((await decide({ ask: async () => "trust" })).trusted).toBe(false);
  }
  chmodSync(file, 0o600);
  chmodSync(store, 0o777);
  expect([readTrust(home, repository).type, (await decide()).trusted]).toEqual(["refused", false]);
  expect(listTrust(home)).toEqual({
    entries: [],
    refused: [`${store} is ignored: others may write to it (mode 0777); use \`chmod go-w\``],
  });
  chmodSync(store, 0o700);
  expect((await decide()).trusted).toBe(true);
});

test.runIf(process.getuid?.() === 0)("an entry or a store of another user is refused", async () => {
  const { home, repository, store, file } = await trusted();
  chownSync(file, 4242, 4242);
  expect(readTrust(home, repository)).toMatchObject({ reason: expect.stringContaining("another user (uid 4242)") });
  chownSync(file, 0, 0);
  chownSync(store, 4242, 4242);
  expect(readTrust(home, repository)).toMatchObject({ reason: expect.stringContaining("another user (uid 4242)") });
  expect(() => removeTrust(home, repository)).toThrow("another user");
});

test("an entry under another folder's name, or with anything odd in it, counts for nothing", async () => {
  const { root, home, store, file, repository } = await trusted();
  const other = join(root, "other");
  mkdirSync(other);
  await writeTrust(home, entryOf(other));
  const [theirs = ""] = readdirSync(store).filter((name) => join(store, name) !== file);
  const text = readFileSync(file, "utf8");
  writeFileSync(join(store, theirs), text);
  expect(readTrust(home, other)).toMatchObject({ type: "refused" });
  const odd = [
    "",
    "{}",
    "[]",
    "null",
    text.slice(0, -5),
    text.replace('"version":1', '"version":2'),
    text.replace('"instructions"', '"anything"'),
    text.replace(/"inode":"\d+"/, '"inode":1'),
    text.replace(/"files":\[/, '"files":[null,'),
    text.replace(/"files":\[.*\]/, '"files":{}'),
    `${" ".repeat(9 * 1024 * 1024)}${text}`,
  ];
  for (const content of odd) {
    writeFileSync(file, content);
    expect([content.slice(0, 20), readTrust(home, repository).type]).toEqual([content.slice(0, 20), "refused"]);
  }
  writeFileSync(file, text);
  expect(readTrust(home, repository).type).toBe("entry");
});

test("drafts that a crash left, and other names, are no entries", async () => {
  const { home, store, file } = await trusted();
  linkSync(file, `${file}.0123456789abcdef.new`);
  writeFileSync(join(store, "notes.txt"), "x");
  expect(listTrust(home).entries.length).toBe(1);
});

function entryOf(path: string): Parameters<typeof writeTrust>[1] {
  return { folder: { path, device: "1", inode: "2", birth: "3" }, trustedAt: 1, files: [] };
}
