import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { playTour } from "../../scripts/tour/play-tour.ts";

const page = join(import.meta.dirname, "../../docs/tour.md");

// What the tour shows was shown with a sandbox.
test.skipIf(spawnSync("bwrap", ["--version"]).status !== 0)(
  "the tour shows what its commands print: else run `npm run tour`",
  async () => {
    expect(await playTour(inject("capstanEntry"))).toBe(readFileSync(page, "utf8"));
  },
);

test("a day in the default mode takes two questions of six lines at most", () => {
  const lines = readFileSync(page, "utf8").split("\n");
  const ends = lines.flatMap((line, at) => (line.includes("v details > ") ? [at] : []));
  const heights = ends.map((end) => {
    const title = lines.findLastIndex((line, at) => at < end && /^(?:Edit|Create|Run|Delete)\b/.test(line));
    return end - title + 1;
  });
  expect(heights).toHaveLength(2);
  expect(Math.max(...heights)).toBeLessThanOrEqual(6);
  expect(heights.reduce((sum, height) => sum + height, 0)).toBeLessThanOrEqual(15);
});
