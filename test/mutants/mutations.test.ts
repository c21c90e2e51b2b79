import { expect, test } from "vitest";
import { mutated, mutationsOf } from "../../scripts/mutants/mutations.ts";

/** Every change of a source, as the text that it leads to. */
function changesOf(source: string): readonly string[] {
  return mutationsOf(source).map((mutation) => mutated(source, mutation));
}

test.each<[string, string, readonly string[]]>([
  ["a condition", "if (ready) go;", ["if (!(ready)) go;"]],
  ["a choice", "x = a ? b : c;", ["x = !(a) ? b : c;"]],
  ["a comparison", "x = a <= b;", ["x = a < b;"]],
  ["an equality", "x = a === b;", ["x = a !== b;"]],
  ["and, or", "x = a && b;", ["x = a || b;"]],
  ["a negation", "x = !a;", ["x = a;"]],
  ["a boolean", "x = true;", ["x = false;"]],
  ["a number", "x = 4_000;", ["x = 4001;"]],
  ["an await", "x = await go();", ["x = go();"]],
  ["a call", "go(a);", [";"]],
  ["a call that is waited for", "await go(a);", [";", "go(a);"]],
  ["a choice from a list", "x = list.filter(isOdd);", ["x = list;"]],
  ["a function", "function go(): void { x = a; }", ["function go(): void { return; x = a; }"]],
  ["a method", "class A { go(): void {} }", ["class A { go(): void { return;} }"]],
  ["text after a character of two units", 'x = "🎉"; y = !a;', ['x = "🎉"; y = a;']],
])("%s is changed", (_what, source, expected) => {
  expect(changesOf(source)).toEqual(expected);
});

test("types, imports and sums of texts are left alone", () => {
  const source = 'import a from "a";\ntype B = 1 | true;\nconst c: B = a as true;\nconst d = "x" + c;\n';
  expect(changesOf(source)).toEqual([]);
});

test("what is awaited only to be returned is left alone, but for what a `try` sees of it", () => {
  expect(changesOf("async function go() { return await load(); }")).toEqual([
    "async function go() { return; return await load(); }",
  ]);
  expect(changesOf("const go = async () => await load();")).toEqual([]);
  expect(changesOf("const go = async () => { try { return await load(); } catch {} };")).toEqual([
    "const go = async () => { try { return load(); } catch {} };",
  ]);
  expect(changesOf("try { run(async () => await load()); } catch {}")).toEqual(["try { ; } catch {}"]);
});

test("a limit is left alone where it is named, and a comparison with it is changed", () => {
  expect(changesOf("const waitMs = 2 * 500;\ngo({ sizeBytes: 64, part: 3 });")).toEqual([
    "const waitMs = 2 * 500;\n;",
    "const waitMs = 2 * 500;\ngo({ sizeBytes: 64, part: 4 });",
  ]);
  expect(changesOf("x = size > limitBytes;")).toEqual(["x = size >= limitBytes;"]);
});

test("a change names its line", () => {
  expect(mutationsOf("a;\nb;\nc(1);\n").map(({ line, what }) => `${line}: ${what}`)).toEqual([
    "3: no call of c",
    "3: 1 is 2",
  ]);
});
