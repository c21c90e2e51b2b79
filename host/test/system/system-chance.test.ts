import { shortIds } from "@capstan/protocol";
import { expect, test } from "vitest";
import { systemChance } from "../../src/system/system-ports.ts";

test("ids made one after the other differ in their first characters", () => {
  const ids = Array.from({ length: 200 }, () => systemChance.id());
  expect(ids.every((id) => /^[0-9a-z]{26}$/.test(id))).toBe(true);
  // Whatever chance does, two of 200 share no more than a few.
  for (const short of shortIds(ids).values()) expect(short.length).toBeLessThan(10);
});
