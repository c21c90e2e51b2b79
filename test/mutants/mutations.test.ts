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

test("a change names its line", () => {
  expect(mutationsOf("a;\nb;\nc(1);\n").map(({ line, what }) => `${line}: ${what}`)).toEqual([
    "3: no call of c",
    "3: 1 is 2",
  ]);
});
