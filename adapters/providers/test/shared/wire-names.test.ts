import { expect, test } from "vitest";
import { wireCallId } from "../../src/shared/request/wire-names.ts";

test("ids that differ stay different, whatever they are made of, and each is replaced by the same", () => {
  const odd = ["\ud83d", "\ude00", "\ufffd", "a b", "a  b", "x".repeat(80), "x".repeat(81), ""];
  const ids = odd.map((id) => wireCallId(id, 64));
  expect(new Set(ids).size).toBe(odd.length);
  expect(odd.map((id) => wireCallId(id, 64))).toEqual(ids);
  expect(ids.every((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id))).toBe(true);
});
