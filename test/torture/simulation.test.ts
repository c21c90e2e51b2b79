import { isSlowTier, playSchedule, runSchedules, sabotages, sampled } from "@capstan/testkit";
import { describe, expect, test } from "vitest";

/** Any will do; a failing one prints its own. */
const seed = 20_261_122;

test(
  "no schedule of words, cancels, timers, kills and restarts breaks an invariant",
  { timeout: 600_000 },
  async () => {
    const report = await runSchedules({ schedules: isSlowTier ? 2_000 : 80, seed });
    const broken = report.shown.map((failed) => ({ seed: failed.seed, violations: failed.violations }));
    expect(broken).toEqual([]);
    const points = report.crashPoints.map(([point]) => point);
    // The slow tier has schedules enough for the rarest.
    for (const operation of sampled(["idle", "recovery", "preparing", "streaming", "tool-loop"], 4))
      expect(points.filter((point) => point.startsWith(`${operation} ×`))).not.toEqual([]);
  },
);

test("the same seed has the same life, kill by kill and record by record", async () => {
  const types = new Set<string>();
  for (let offset = 0; offset < (isSlowTier ? 20 : 10); offset += 1) {
    const [once, again] = [await playSchedule({ seed: seed + offset }), await playSchedule({ seed: seed + offset })];
    expect(again).toEqual(once);
    for (const { type } of once.journal) types.add(type);
  }
  // Among them are lives with a summary beside the turn.
  expect([...types].filter((type) => type.startsWith("summary-")).length).toBeGreaterThan(1);
});

describe("an engine that errs is caught within a few hundred schedules", () => {
  test.for(sampled(Object.entries(sabotages), 2))("%s", async ([, sabotage]) => {
    const report = await runSchedules({ schedules: 400, seed, sabotage, stopAtFailure: true });
    expect(report.failures).toBe(1);
  });

  test("and a failing schedule is shown with as few steps as it takes", async () => {
    const sabotage = sabotages["drops-outcomes"];
    const [failed] = (await runSchedules({ schedules: 400, seed, sabotage, stopAtFailure: true })).shown;
    const again = await playSchedule({ seed: failed?.seed ?? 0, steps: failed?.steps ?? 0, sabotage });
    expect(again.violations).toEqual(failed?.violations);
  });
});
