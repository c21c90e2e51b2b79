import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { compileGlob, type Glob, type GlobOptions } from "../../src/glob/glob.ts";
import { naiveMatch, type Part, print } from "./naive-glob.ts";

const plain: fc.Arbitrary<Part> = fc.constantFrom<Part>(
  { type: "character", character: "a" },
  { type: "character", character: "b" },
  { type: "character", character: "." },
  { type: "character", character: "é" },
  { type: "character", character: "*" },
  { type: "any" },
  { type: "set", text: "[ab]", holds: (character) => "ab".includes(character) },
  { type: "set", text: "[!a]", holds: (character) => character !== "a" },
  { type: "set", text: "[b-é]", holds: (character) => character >= "b" && character <= "é" },
  { type: "set", text: "[[:punct:]]", holds: (character) => ".*".includes(character) },
);
const wild: fc.Arbitrary<Part> = fc.constantFrom<Part>({ type: "star" }, { type: "stars" }, { type: "slash" });
const flat = fc.array(fc.oneof(plain, wild), { maxLength: 4 }).map(withoutNeighbours);
const choice = fc.array(flat, { minLength: 2, maxLength: 3 }).map((options): Part => ({ type: "choice", options }));
const parts = fc
  .array(fc.oneof({ weight: 3, arbitrary: plain }, { weight: 4, arbitrary: wild }, choice), {
    maxLength: 7,
  })
  .map(withoutNeighbours);
const path = fc
  .array(fc.array(fc.constantFrom("a", "b", ".", "é", "*"), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((names) => names.map((name) => name.join("")).join("/"));

/** Two stars beside each other are written as one part. */
function withoutNeighbours(list: readonly Part[]): readonly Part[] {
  return list.filter((part, at) => !isStar(part) || !isStar(list[at - 1]));
}

function isStar(part: Part | undefined): boolean {
  return part?.type === "star" || part?.type === "stars";
}

function glob(pattern: string, options: GlobOptions = { dot: true }): Glob {
  const compiled = compileGlob(pattern, options);
  if ("problem" in compiled) throw new Error(`${pattern}: ${compiled.problem}`);
  return compiled;
}

test("a glob matches what its specification matches", () => {
  fc.assert(
    fc.property(parts, fc.array(path, { minLength: 1, maxLength: 8 }), fc.boolean(), (written, paths, dot) => {
      const compiled = glob(print(written), { dot });
      const ours = paths.filter((one) => compiled.matches(one));
      expect(ours).toEqual(paths.filter((one) => naiveMatch(written, one, dot)));
    }),
    { numRuns: runs(3000) },
  );
});

test("the work is bounded by the length of the pattern times that of the path", () => {
  fc.assert(
    fc.property(parts, path, (written, one) => {
      const pattern = print(written);
      expect(glob(pattern).examine(one).steps).toBeLessThanOrEqual(20 * (pattern.length + 1) * (one.length + 1));
    }),
    { numRuns: runs(1000) },
  );
});

test("a pattern that makes others try every way takes no more steps than pattern and path are long, multiplied", () => {
  const hostile: readonly (readonly [pattern: string, path: string])[] = [
    ["*a*a*a*a*a*a*a*b", "a".repeat(40)],
    [`${"*a".repeat(100)}*b`, "a".repeat(4000)],
    [`${"**/a/".repeat(100)}b`, "a/".repeat(2000)],
    [`${"{a,a*}".repeat(100)}b`, "a".repeat(4000)],
    [`${"{a,{a,{a,aa}}}".repeat(50)}b`, "a".repeat(4000)],
  ];
  for (const [pattern, one] of hostile) {
    const { matches, steps } = glob(pattern).examine(one);
    expect(matches).toBe(false);
    expect(steps).toBeLessThanOrEqual(4 * pattern.length * one.length);
  }
});

const examples: readonly (readonly [pattern: string, matched: string, notMatched: string])[] = [
  ["*.ts", "a.ts", "a/b.ts"],
  ["a?c", "a/c".replace("/", "é"), "a/c"],
  ["**/*.ts", "a.ts", "a.tsx"],
  ["**/*.ts", "a/b/c.ts", "a.ts/b"],
  ["src/**", "src/a/b", "src"],
  ["src/**/x", "src/x", "srcx"],
  ["a**b", "axxb", "a/b"],
  ["*.{js,ts}", "a.ts", "a.css"],
  ["{src,test}/*.ts", "test/a.ts", "a.ts"],
  ["{src/,}a", "a", "test/a"],
  ["{**/,}a", "x/y/a", "ab"],
  ["f{1..3}", "f2", "f4"],
  ["f{c..a}", "fb", "fd"],
  ["{a}", "{a}", "a"],
  ["{a", "{a", "a"],
  ["a}", "a}", "a"],
  ["a,b", "a,b", "a"],
  ["{a,{b,c}d}", "cd", "c"],
  ["\\*", "*", "a"],
  ["[[:digit:]]*.log", "1.log", "a.log"],
  ["[z-a]x", "zx", "bx"],
  ["[]]", "]", "a"],
  ["[\\]]", "]", "\\"],
  ["[!a-c]", "d", "b"],
  ["[a/b]", "b", "/"],
  ["😀?", "😀😀", "😀"],
  ["[😀-😂]", "😁", "😃"],
  ["odd\n*", "odd\nname\n", "odd"],
];
test.each(examples)("%s matches %j and not %j", (pattern, matched, notMatched) => {
  expect([glob(pattern).matches(matched), glob(pattern).matches(notMatched)]).toEqual([true, false]);
});

test("without `dot`, only a written dot matches one at the beginning of a name", () => {
  const hidden = ["*", "?a", "[.]a", "**", "**/.a/**/b", "*.a", "**/{.,}*"];
  expect(hidden.filter((pattern) => glob(pattern, { dot: false }).matches(".a"))).toEqual(["**/{.,}*"]);
  expect(hidden.filter((pattern) => glob(pattern).matches(".a"))).toEqual(["*", "?a", "[.]a", "**", "*.a", "**/{.,}*"]);
});

test("letters are folded in runs, in sets and in alternatives", () => {
  for (const pattern of ["GEHE\u0301IM", "g[E]h?im", "{x,GEH}\u00c9IM", "*\u0045\u0301*"]) {
    expect(glob(pattern, { dot: true, fold: foldLetters }).matches("geh\u00e9im")).toBe(true);
  }
});

function foldLetters(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

const depths: readonly (readonly [pattern: string, matched: readonly string[], notMatched: readonly string[]])[] = [
  ["a", ["a", "x/a", "x/y/a"], ["ab", "a/b"]],
  ["a/", ["a", "x/a"], ["a/b"]],
  ["a/b", ["a/b"], ["x/a/b"]],
  ["{*.ts,src/*}", ["x/a.ts", "src/a"], ["x/src/a"]],
  ["{a,b}{c,/d}", ["x/ac", "x/bc", "a/d"], ["x/a/d"]],
];
test.each(depths)("at any depth, %s matches %j and not %j", (pattern, matched, notMatched) => {
  const { matches } = glob(pattern, { dot: true, anyDepth: true });
  expect([...matched, ...notMatched].filter((one) => matches(one))).toEqual(matched);
});

test.each(["a/**", "a/**/**", "{a/**,z/**}"])("with the folder itself, %s matches it", (pattern) => {
  const { matches } = glob(pattern, { dot: true, folderItself: true });
  expect(["a", "a/b", "a/.b/c", "ab", "b/a"].filter((one) => matches(one))).toEqual(["a", "a/b", "a/.b/c"]);
});

test("a set that stands for itself, too, matches the name as it is written", () => {
  const { matches } = glob("app/[id]/*", { dot: true, literalSets: true });
  expect(["app/[id]/x", "app/i/x", "app/x/x"].filter((one) => matches(one))).toEqual(["app/[id]/x", "app/i/x"]);
});

test("a path is covered exactly when a folder on its way, below the floor, is matched", () => {
  fc.assert(
    fc.property(parts, path, fc.nat({ max: 4 }), (written, one, floor) => {
      const { covers, matches } = glob(print(written));
      const names = one.split("/");
      const folders = names.map((_, index) => names.slice(0, index + 1).join("/"));
      const above = folders[floor - 1]?.length ?? 0;
      fc.pre(above < one.length);
      expect(covers(one, above)).toBe(folders.some((folder) => folder.length > above && matches(folder)));
    }),
    { numRuns: runs(1000) },
  );
});

const unreadable: readonly (readonly [pattern: string, problem: RegExp])[] = [
  ["[a", /`\[` without an end.*`\\\[`/],
  ["[[:letters:]]", /unknown class/],
  ["a\\", /backslash/],
  ["a".repeat(4097), /longer than 4096/],
  ["{".repeat(33), /more than 32 braces/],
  ["{1..999}", /more than 256 items/],
  ["{10000..10255}".repeat(20), /more than 16384/],
];
test.each(unreadable)("%s is refused, with what to write instead", (pattern, problem) => {
  expect(compileGlob(pattern, { dot: true })).toEqual({ problem: expect.stringMatching(problem) });
});
