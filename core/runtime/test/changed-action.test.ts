import { freezeAction, isWhole } from "../src/effects/prepare-actions.ts";
import { createHash } from "node:crypto";
import { action } from "@capstan/testkit";
import { expect, test } from "vitest";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

test("an action is run only as long as it is the one that its digest was taken of", () => {
  const { digest: _, ...draft } = action("act", { path: "a.txt" });
  const frozen = freezeAction(draft, sha256);
  expect(isWhole(frozen, sha256)).toBe(true);
  expect(isWhole(JSON.parse(JSON.stringify(frozen)), sha256)).toBe(true);
  const changes = [{ arguments: { path: "b.txt" } }, { summary: "other" }, { risk: "high" as const }, { digest: "0" }];
  expect(changes.map((change) => isWhole({ ...frozen, ...change }, sha256))).toEqual([false, false, false, false]);
});
