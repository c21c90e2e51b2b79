import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Workspace } from "@capstan/protocol";
import { openPacker } from "@capstan/tools";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TokenLimit, withPacks } from "../src/with-packs.ts";

let folder: string;
let workspace: Workspace;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-packs-"));
  workspace = { cwd: folder, roots: [folder] };
  const sizes = { "a.txt": 40, "b.txt": 400, "c.txt": 40 };
  await Promise.all(
    Object.entries(sizes).map(async ([name, length]) => writeFile(join(folder, name), "x".repeat(length))),
  );
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function partsWith(tokens: TokenLimit | null): Promise<readonly object[]> {
  const source = withPacks(
    { collect: async () => [] },
    {
      packs: [
        { name: null, title: "", include: ["a.txt", "b.txt"], exclude: [] },
        { name: "more", title: "", include: ["*.txt"], exclude: [] },
      ],
      limits: { files: 10, bytes: 10_000 },
      tokens,
      pack: openPacker([]),
      shownTemplates: [],
      templates: { templates: {}, home: folder },
    },
  );
  const parts = await source.collect(workspace, new AbortController().signal, { sessionId: null, words: "" });
  return parts.map(({ name, refused }) => (refused === undefined ? { name } : { name, refused }));
}

const count = (text: string): number => text.length / 4;

test("files are shown within a budget of tokens over all packs; one without room is named, and a smaller one follows, each time", async () => {
  const expected = [
    { name: "file a.txt" },
    { name: "file b.txt", refused: { bytes: 400, reason: "about 100 tokens, and 10 of 20 are left" } },
    { name: "file c.txt" },
  ];
  expect(await partsWith({ most: 20, count })).toEqual(expected);
  expect(await partsWith({ most: 20, count })).toEqual(expected);
  expect(await partsWith(null)).toEqual([{ name: "file a.txt" }, { name: "file b.txt" }, { name: "file c.txt" }]);
});
