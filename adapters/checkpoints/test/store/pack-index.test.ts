import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { encodePackIndex, PackIndex } from "../../src/store/pack-index.ts";

interface Packed {
  /** The index as git wrote it. */
  readonly bytes: Buffer;
  /** What git reads in it. */
  readonly places: readonly { readonly id: string; readonly offset: number; readonly checksum: number }[];
}

/** A pack that git made of some files. */
function packedByGit(files: number): Packed {
  const folder = mkdtempSync(join(tmpdir(), "capstan-pack-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (args: readonly string[], input?: Buffer): string =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", ...(input === undefined ? {} : { input }) });
  git(["init", "-q"]);
  const ids = Array.from({ length: files }, (_, number) => {
    writeFileSync(join(folder, "file"), `content ${number}`);
    return git(["hash-object", "-w", "file"]).trim();
  });
  git(["pack-objects", "-q", "pack"], Buffer.from(`${ids.join("\n")}\n`));
  const name = readdirSync(folder).find((each) => each.endsWith(".idx")) ?? "";
  const bytes = readFileSync(join(folder, name));
  const places = git(["show-index"], bytes)
    .trim()
    .split("\n")
    .map((line) => {
      const [offset = "", id = "", checksum = ""] = line.split(" ");
      return { id, offset: Number(offset), checksum: Number.parseInt(checksum.slice(1, -1), 16) };
    });
  return { bytes, places };
}

test("every object is found where git says it is, again and again, and where it ends; another is not there", () => {
  const { bytes, places } = packedByGit(40);
  const index = PackIndex.parse(bytes);
  const offsets = places.map(({ offset }) => offset).toSorted((one, other) => one - other);
  for (let time = 0; time < 2; time += 1) {
    for (const { id, offset } of places) {
      expect(index?.offsetOf(id)).toBe(offset);
      expect(index?.endOf(offset)).toBe(offsets[offsets.indexOf(offset) + 1]);
    }
  }
  // No content has these names.
  for (const id of ["00".repeat(20), "7f".repeat(20), "ff".repeat(20)]) expect(index?.offsetOf(id)).toBeUndefined();
});

test("an index that is written is the one that git writes", () => {
  const { bytes, places } = packedByGit(40);
  expect(encodePackIndex(places, bytes.subarray(-40, -20)).equals(bytes)).toBe(true);
});

test("an index that is cut off anywhere, longer, or another file is none", () => {
  const { bytes } = packedByGit(2);
  for (let length = 0; length < bytes.length; length += 1)
    expect(PackIndex.parse(bytes.subarray(0, length))).toBeUndefined();
  expect(PackIndex.parse(Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined();
  expect(PackIndex.parse(Buffer.alloc(bytes.length))).toBeUndefined();
});
