import { expect, test } from "vitest";
import type { PlannedFile } from "../../src/files/staged-files.ts";
import { patchLimits } from "../../src/lp1/limits.ts";
import { shortDiff } from "../../src/lp1/short-diff.ts";

/** A new file of one line. */
function newFile(line: string): PlannedFile {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a diff shows its name and looks at nothing else
  const resolved = { shown: "a" } as PlannedFile["resolved"];
  return { resolved, before: null, after: Buffer.from(`${line}\n`) };
}

test("a diff that is as long as it may be is shown whole, and one byte more is cut and says so", () => {
  const head = shortDiff([newFile("")]).length;
  const longest = "x".repeat(patchLimits.maxShownDiffBytes - head - 1);
  const whole = shortDiff([newFile(longest)]);
  expect([whole.endsWith(`+${longest}`), Buffer.byteLength(whole) + 1]).toEqual([true, patchLimits.maxShownDiffBytes]);
  const cut = shortDiff([newFile(`${longest}x`)]);
  expect(cut.split("\n").at(-1)).toBe("[diff truncated]");
  expect(cut).not.toContain("xxx");
});
