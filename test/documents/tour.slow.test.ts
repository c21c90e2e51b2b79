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
