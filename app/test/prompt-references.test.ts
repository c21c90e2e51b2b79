import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readReferences } from "../src/prompt-references.ts";
import { newFolder } from "./run-words.ts";

const before = process.cwd();

beforeEach(() => {
  const folder = newFolder();
  mkdirSync(join(folder, "src"));
  for (const name of ["a.ts", "src/b.ts", "my notes.md", "v1.", "Makefile", "param"])
    writeFileSync(join(folder, name), "x");
  process.chdir(folder);
});
afterEach(() => process.chdir(before));

test.each<[string, readonly string[]]>([
  ["@a.ts", ["a.ts"]],
  ["compare @a.ts with @src/b.ts, please", ["a.ts", "src/b.ts"]],
  ["why is (@a.ts) so long? See @src/b.ts.", ["a.ts", "src/b.ts"]],
  ["@a.ts and @a.ts again", ["a.ts"]],
  ['read @"my notes.md"!', ["my notes.md"]],
  ["what is @v1. about", ["v1."]],
  ["line\n@Makefile", ["Makefile"]],
])("%j attaches %j", (prompt, files) => {
  expect(readReferences(prompt)).toEqual({ text: prompt, files, missing: [] });
});

test.each([
  "mail me@a.ts",
  "the @decorator and @types/node",
  "in @src/ and @src there is code",
  "npm i react@18.2.0 @scope/name@1.2.3",
  "@",
  '@"" @ a.ts',
  "user@example.org",
])("%j attaches nothing, and misses nothing", (prompt) => {
  expect(readReferences(prompt)).toEqual({ text: prompt, files: [], missing: [] });
});

test("a name with an ending that leads to no file is reported, and stays a word", () => {
  const prompt = 'fix @src/c.ts, @gone/c.ts and @"no notes"';
  expect(readReferences(prompt)).toEqual({ text: prompt, files: [], missing: ["src/c.ts", "no notes"] });
});

test("what leads through a file, in a circle, or is too long for a name stays a word", () => {
  symlinkSync("circle", "circle");
  const long = "x".repeat(5000);
  const prompt = `see @a.ts/x, @a.ts/, @circle and @${long}`;
  for (const _ of ["first", "second"]) expect(readReferences(prompt)).toEqual({ text: prompt, files: [], missing: [] });
});

test("a backslash in front makes it a word like any other, and is taken away", () => {
  expect(readReferences("what does \\@param mean, and a\\@b?")).toEqual({
    text: "what does @param mean, and a\\@b?",
    files: [],
    missing: [],
  });
});
