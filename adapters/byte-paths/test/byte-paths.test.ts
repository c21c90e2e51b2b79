import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { bytesOf, entriesOf, onDisk, pathText } from "../src/index.ts";

test("a name that is no text is read, and opened again, as the bytes that it is", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-names-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const names = [[0xff], [0x61, 0xc3], [0xed, 0xb3, 0xbf], [0xef, 0xbf, 0xbd], [...Buffer.from("ü😀")]].map((bytes) =>
    Buffer.from(bytes),
  );
  for (const name of names) mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), name]));
  const found = entriesOf(folder).map(({ name }) => name);
  expect(new Set(found).size).toBe(names.length);
  expect(found.map((name) => bytesOf(name).toString("hex")).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    names.map((name) => name.toString("hex")).toSorted((a, b) => (a < b ? -1 : 1)),
  );
  for (const name of found) expect(statSync(onDisk(join(folder, name))).isDirectory()).toBe(true);
  expect([pathText(Buffer.from("ü😀")), onDisk("ü😀")]).toEqual(["ü😀", "ü😀"]);
});

test("any bytes come back from their text, and texts of different bytes differ", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), (one, other) => {
      const [first, second] = [Buffer.from(one), Buffer.from(other)];
      expect(bytesOf(pathText(first)).equals(first)).toBe(true);
      expect(pathText(first) === pathText(second)).toBe(first.equals(second));
    }),
  );
});
