import type { EffectClass } from "@capstan/protocol";
import { action } from "@capstan/testkit";
import { expect, test } from "vitest";
import { type Ahead, aheadOf, mayFitLater, mustWait } from "../src/order.ts";

const aheads: readonly Ahead[] = ["nothing", "reads", "effects"];
const effects: readonly EffectClass[] = ["read", "write", "execute", "session"];

test("what is ahead only grows: an effect, or what is not known, outweighs reads, and these outweigh nothing", () => {
  const table = aheads.map((before) =>
    effects.map((effect) => aheadOf(before, action("look", {}, { effect }))).concat(aheadOf(before, null)),
  );
  expect(table).toEqual([
    ["reads", "effects", "effects", "nothing", "effects"],
    ["reads", "effects", "effects", "reads", "effects"],
    ["effects", "effects", "effects", "effects", "effects"],
  ]);
});

test("a refused call waits for effects; for reads only if it changes something; and never where the workspace is not why", () => {
  expect(aheads.map((ahead) => effects.map((effect) => mayFitLater(effect, ahead)))).toEqual([
    [false, false, false, false],
    [false, true, true, true],
    [true, true, true, true],
  ]);
  expect(aheads.map((ahead) => mayFitLater(undefined, ahead))).toEqual([false, false, false]);
});

test("a plan for review waits for effects ahead of it, and no other call does", () => {
  const plan = action(
    "exit_plan_mode",
    {},
    { effect: "session", session: { type: "exit-plan-mode", plan: "p", source: "file" } },
  );
  expect(aheads.map((ahead) => mustWait(plan, ahead))).toEqual([false, false, true]);
  expect(aheads.map((ahead) => mustWait(action("act"), ahead))).toEqual([false, false, false]);
});
