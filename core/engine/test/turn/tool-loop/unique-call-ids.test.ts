import {
  action,
  call,
  callAnswer,
  completes,
  ends,
  packed,
  play,
  prepared,
  restarts,
  says,
  sessionConfig,
} from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const asked = [says("t1"), packed("t1")];

/** The ids of the calls of the last answer, as they were journaled. */
function journaled(ids: readonly string[], earlier: readonly string[] = []): readonly string[] {
  const before =
    earlier.length === 0
      ? []
      : [
          completes("t1.s1", callAnswer(earlier.map((id) => call(id, "look", { path: id })))),
          prepared("t1.s1", Object.fromEntries(earlier.map((id) => [id, action("look")]))),
          ...earlier.map((id) => ends(id)),
        ];
  const step = earlier.length === 0 ? "t1.s1" : "t1.s2";
  const answer = callAnswer(ids.map((id, index) => call(id, "look", { path: String(index) })));
  const completed = play([...asked, ...before, completes(step, answer)]).journal.findLast(
    (record) => record.type === "step-completed",
  );
  if (completed?.type !== "step-completed") return [];
  return completed.message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []));
}

test.each<[string, readonly string[], readonly string[]]>([
  ["usable ids stay", ["call_a", "toolu-01X"], ["call_a", "toolu-01X"]],
  ["a repeated id is replaced", ["0", "0"], ["0", "call_t1_s1_2"]],
  ["a missing id is made", ["", ""], ["call_t1_s1_1", "call_t1_s1_2"]],
  ["an id with odd characters is replaced", ["a/b", "ü", "a\n"], ["call_t1_s1_1", "call_t1_s1_2", "call_t1_s1_3"]],
  ["an id that is too long is replaced", ["x".repeat(64), "x".repeat(65)], ["x".repeat(64), "call_t1_s1_2"]],
  ["an id made up is itself unique", ["call_t1_s1_2", ""], ["call_t1_s1_2", "call_t1_s1_2_2"]],
])("%s", (_promise, ids, expected) => {
  expect(journaled(ids)).toEqual(expected);
});

test("an id of an earlier answer is replaced: servers count from zero in each", () => {
  expect(journaled(["0", "1"], ["0"])).toEqual(["call_t1_s2_1", "1"]);
});

test("whatever ids a model gives, those in the journal are distinct and every wire takes them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("0", "1", "call_t1_s1_1")), { minLength: 1, maxLength: 8 }),
      (ids) => {
        const used = journaled(ids);
        expect(new Set(used).size).toBe(ids.length);
        for (const id of used) expect(id).toMatch(/^[\w-]{1,64}$/);
      },
    ),
  );
});

test("an outcome for a call that nobody made changes nothing", () => {
  const before = [
    ...asked,
    completes("t1.s1", callAnswer([call("a", "look")])),
    prepared("t1.s1", { a: action("look") }),
  ];
  expect(play([...before, ends("nobody")]).last).toEqual({ records: [], effects: [] });
  expect(play([...before, ends("a"), ends("a")]).last).toEqual({ records: [], effects: [] });
});

test("actions of another step or of calls that were decided on already change nothing", () => {
  const before = [...asked, completes("t1.s1", callAnswer([call("a", "look")]))];
  expect(play([...before, prepared("t1.s2", { a: action("look") })]).last).toEqual({ records: [], effects: [] });
  const ready = [...before, prepared("t1.s1", { a: action("look") })];
  expect(play([...ready, prepared("t1.s1", { a: action("act") })]).last.records).toEqual([]);
});

test("a repeated preparation starts nothing a second time", () => {
  const ready = [
    ...asked,
    completes("t1.s1", callAnswer([call("a", "change")])),
    prepared("t1.s1", { a: action("change") }),
  ];
  const config = sessionConfig({ mode: "auto" });
  expect(play(ready, config).last.effects).toMatchObject([{ type: "stage-tool", callId: "a" }]);
  expect(play([...ready, prepared("t1.s1", { a: action("change") })], config).last).toEqual({
    records: [],
    effects: [],
  });
  expect(play([...ready, restarts], config).last.effects).toMatchObject([{ type: "stage-tool", callId: "a" }]);
});

test("ids that count the session's calls stay, and a repeated one gets the next number: models are trained on the form", () => {
  const one = "functions.look:0";
  expect(journaled([one, "functions.look:1"])).toEqual([one, "functions.look:1"]);
  expect(journaled([one, "functions.act:0"], ["functions.look:3"])).toEqual([one, "functions.act:0"]);
  expect(journaled([one, one], [one])).toEqual(["functions.look:1", "functions.look:2"]);
  expect(journaled([one], [one, "functions.look:7"])).toEqual(["functions.look:8"]);
  expect(journaled([`functions.${"x".repeat(65)}:0`])).toEqual(["call_t1_s1_1"]);
});
