import { expect, test } from "vitest";
import { StreamedArguments } from "../../src/google/streamed-arguments.ts";
import { limits } from "../../src/limits.ts";

const deep = (steps: number): string => `$${".a".repeat(steps)}`;

function placed(...paths: readonly string[]): StreamedArguments {
  const streamed = new StreamedArguments();
  for (const jsonPath of paths) streamed.add([{ jsonPath, numberValue: 1 }]);
  return streamed;
}

test("a place is as deep as JSON may be, and no deeper", () => {
  expect(placed(deep(limits.jsonDepth)).problem).toBeUndefined();
  expect(placed(deep(limits.jsonDepth + 1)).problem).toMatch(/an argument's place cannot be read: \$\.a/);
});

test("places are read in every way of writing them; one that leaves a gap is not", () => {
  expect(placed("$.a['b c'][0][\"d\"]", "$.a['b c'][1]").toJson()).toBe('{"a":{"b c":[{"d":1},1]}}');
  expect(placed("$.a[1]").problem).toBeDefined();
  for (const path of ["", "$", "a", "$.", "$[x]"]) expect(placed(path).problem).toBeDefined();
});
