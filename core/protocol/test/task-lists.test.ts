import { type Task, withTaskList } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

function list(name: string | undefined, ...steps: readonly string[]): readonly Task[] {
  return steps.map((step) => ({ step, status: "pending", ...(name === undefined ? {} : { list: name }) }));
}

test("a list that is given again takes its own place alone; an empty one takes it away", () => {
  const both = withTaskList(list(undefined, "a", "b"), "release", list("release", "c"));
  expect(both).toEqual([...list(undefined, "a", "b"), ...list("release", "c")]);
  expect(withTaskList(both, undefined, list(undefined, "d"))).toEqual([
    ...list("release", "c"),
    ...list(undefined, "d"),
  ]);
  expect(withTaskList(both, "release", [])).toEqual(list(undefined, "a", "b"));
});

test("whatever lists are given, each holds what it was given last, and there are at most twenty", () => {
  const name = fc.option(fc.integer({ min: 0, max: 30 }).map(String), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.integer({ min: 1, max: 3 })), { maxLength: 60 }), (calls) => {
      let tasks: readonly Task[] = [];
      const last = new Map<string | undefined, readonly Task[]>();
      for (const [at, [of, count]] of calls.entries()) {
        const given = list(of, ...Array.from({ length: count }, (_, index) => `${at}.${index}`));
        tasks = withTaskList(tasks, of, given);
        last.delete(of);
        last.set(of, given);
      }
      expect(tasks).toEqual([...last.values()].slice(-20).flat());
    }),
  );
});
