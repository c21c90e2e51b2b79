import { expect, test } from "vitest";
import { ResultMedia } from "../src/result-media.ts";

test.each([
  ["a picture of any size is said to be too large, and ends nothing", "/9j/".padEnd(40_000_000, "A"), "too large"],
  ["one with another letter at its end is none", `${"/9j/".padEnd(40_000_000, "A")}!`, "no picture"],
  ["one with three signs of its end is none", "/9j/A===", "no picture"],
])("%s", (_, data, said) => {
  expect(new ResultMedia("x").take("image/jpeg", data)).toContain(said);
});
