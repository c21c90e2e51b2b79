/** The arguments of Forge's search that models are not shown, and that work all the same. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nearlyMatcher } from "../../src/search/nearly/nearly-matches.ts";
import { createSearchTool } from "../../src/search/search.ts";
import { type SearchPlace, searchPlace } from "./search-place.ts";

function place(files: Readonly<Record<string, string | Uint8Array>>): SearchPlace {
  return searchPlace((options, paths) => createSearchTool(options, paths), files);
}

async function linesOf(tree: SearchPlace, args: JsonObject): Promise<readonly string[]> {
  return (await tree.call(args)).content.split("\n").slice(1);
}

test("with fuzzy, words are found that are nearly there, and no others", async () => {
  const tree = place({ "a.txt": "the receiver\nthe reciever\nthe recever\nthe redeemer\n", "b.bin": "reciever\0" });
  expect(await linesOf(tree, { pattern: "receiver" })).toEqual(["a.txt:1: the receiver"]);
  expect(await linesOf(tree, { pattern: "receiver", fuzzy: 1 })).toEqual([
    "a.txt:1: the receiver",
    "a.txt:3: the recever",
  ]);
  expect(await linesOf(tree, { pattern: "receiver", fuzzy: 2 })).toEqual([
    "a.txt:1: the receiver",
    "a.txt:2: the reciever",
    "a.txt:3: the recever",
  ]);
  expect(await linesOf(tree, { pattern: "Receiver", fuzzy: 1 })).toEqual(["a.txt:1: the receiver"]);
  expect(await linesOf(tree, { pattern: "RECEIVER", fuzzy: 1, case: "insensitive", path: "a.txt" })).toHaveLength(2);
});

test.each<[JsonObject, RegExp]>([
  [{ pattern: "ab", fuzzy: 2 }, /plain text of 3 to 31/],
  [{ pattern: "a".repeat(32), fuzzy: 1 }, /plain text of 2 to 31/],
  [{ pattern: "abcdef", fuzzy: 5 }, /fuzzy must be a whole number from 0 to 4/],
  [{ pattern: "abcdef", fuzzy: 1, word_regexp: true }, /exclude each other/],
  [{ pattern: "a", max_matches_per_file: 51 }, /from 1 to 50/],
  [{ pattern: "a", timeout_ms: 1 }, /timeout_ms must be/],
])("what cannot be meant is refused and says what can: %j", async (args, message) => {
  await expect(place({}).prepare(args)).rejects.toThrow(message);
});

test("a line is nearly the words exactly where the slow way says so", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
  const words = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(words, text, fc.integer({ min: 0, max: 2 }), (pattern, line, errors) => {
      const isFound = nearlyMatcher(pattern, errors, true).find(line) !== undefined;
      expect([line, isFound]).toEqual([line, line !== "" && fewestErrors(pattern, line) <= errors]);
    }),
    { numRuns: runs(300) },
  );
});

/** The least distance of the pattern from any part of the line that ends behind a letter of it. */
function fewestErrors(pattern: string, line: string): number {
  let column = Array.from({ length: pattern.length + 1 }, (_, at) => at);
  let best = Number.POSITIVE_INFINITY;
  for (const letter of line) {
    const next = [0];
    for (let at = 1; at <= pattern.length; at += 1) {
      const other = (column[at - 1] ?? 0) + (pattern[at - 1] === letter ? 0 : 1);
      next.push(Math.min(other, (column[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    column = next;
    best = Math.min(best, column.at(-1) ?? best);
  }
  return best;
}

test("what .gitignore excludes is found when it is asked for; what is protected, and .git, never", async () => {
  const files = { ".gitignore": "built\n", "built/a.txt": "hit", "b.txt": "hit", ".git/c.txt": "hit", "d/.env": "hit" };
  const tree = place(files);
  expect(await linesOf(tree, { pattern: "hit" })).toEqual(["b.txt:1: hit"]);
  expect(await linesOf(tree, { pattern: "hit", no_ignore: true, hidden: true })).toEqual([
    "b.txt:1: hit",
    "built/a.txt:1: hit",
  ]);
});

test("a file has at most so many matches, a search so many files, and both say so", async () => {
  const tree = place({ "a.txt": "hit\n".repeat(5), "b.txt": "hit\n", "c.txt": "hit\n" });
  expect((await tree.call({ pattern: "hit", max_matches_per_file: 2 })).content).toBe(
    "4 matching lines in 3 files\na.txt:1: hit\na.txt:2: hit\nb.txt:1: hit\nc.txt:1: hit\n" +
      "[at most 2 lines of a file are counted; 1 file has more.]",
  );
  const two = await linesOf(tree, { pattern: "hit", max_files: 2, output: "files" });
  expect(two.slice(0, 2)).toEqual(["a.txt: 5", "b.txt: 1"]);
  expect(two[2]).toMatch(/^\[stopped: max_files were searched; shown: 2 files\./);
  expect((await linesOf(tree, { pattern: "hit", max_files: 3 })).at(-1)).toBe("c.txt:1: hit");
});

test("files above the size that a call names are not searched", async () => {
  const tree = place({ "a.txt": "hit\n".repeat(100), "b.txt": "hit\n" });
  const found = await linesOf(tree, { pattern: "hit", max_file_size_bytes: 100 });
  expect(found[0]).toBe("b.txt:1: hit");
  expect(found[1]).toBe("[not searched: 1 file above 100 bytes (a.txt).]");
});

test("links are followed in the workspace, to each place once and under its own name; never out of it", async () => {
  const tree = place({
    "shared/a.txt": "hit",
    "shared/.env": "hit",
    "one.txt": "hit",
    "src/b.txt": "hit",
    ".git/g.txt": "hit",
  });
  mkdirSync(join(tree.cwd, "..", "outside"));
  for (const [name, target] of [
    ["again", "../shared"],
    ["file", "../one.txt"],
    ["here", "."],
    ["lib", "../shared"],
    ["out", "../../outside"],
    ["repo", "../.git"],
    ["up", ".."],
  ] as const)
    symlinkSync(target, join(tree.cwd, "src", name));
  expect(await linesOf(tree, { pattern: "hit", path: "src" })).toEqual(["src/b.txt:1: hit"]);
  for (const follow of [{ follow: true }, { follow: true, fuzzy: 1 }])
    expect(await linesOf(tree, { pattern: "hit", path: "src", ...follow })).toEqual([
      "one.txt:1: hit",
      "shared/a.txt:1: hit",
      "src/b.txt:1: hit",
    ]);
});

test("a fuzzy search ends when its time is over", async () => {
  const tree = place({ "a.txt": `${"x".repeat(1_000)}\n`.repeat(1_900), "b.txt": "hit" });
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`big/${at}.txt`, `${"y".repeat(1_000)}\n`.repeat(1_900)]),
  );
  tree.write(files);
  const late = await tree.call({ pattern: "nothing like it", fuzzy: 4, timeout_ms: 100 });
  expect([late.status, late.content]).toEqual(["failed", expect.stringContaining("it took too long")]);
});
