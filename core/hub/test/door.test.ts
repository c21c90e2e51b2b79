import { expect, test } from "vitest";
import { Door } from "../src/door/door.ts";
import { maxTitleCharacters, submissionsAtOnce, submissionsPerSecond } from "../src/limits.ts";

const retitle = (title: string) => ({ type: "title", title }) as const;

/** A client that operates, on a clock that stands still until it is moved. */
function opened(role: "operate" | "watch" = "operate"): { readonly door: Door; readonly clock: { now: number } } {
  const clock = { now: 1000 };
  return { door: new Door({ frontend: "test", role }, { elapsed: () => clock.now }), clock };
}

test("as many submissions as are allowed at once come in, and not one more", () => {
  const { door } = opened();
  const answers = Array.from({ length: submissionsAtOnce + 1 }, () => door.check(retitle("x")));
  expect(answers.slice(0, -1).filter((answer) => answer !== null)).toEqual([]);
  expect(answers.at(-1)).toMatchObject({ code: "door.rate" });
});

test("with time as many come in as the rate allows, and what was not used does not add up", () => {
  const { door, clock } = opened();
  for (let count = 0; count < submissionsAtOnce; count += 1) door.check(retitle("x"));
  const accepted = (): number =>
    Array.from({ length: submissionsAtOnce * 2 }, () => door.check(retitle("x"))).filter((answer) => answer === null)
      .length;
  clock.now += 1000;
  expect(accepted()).toBe(submissionsPerSecond);
  clock.now += 1000 / submissionsPerSecond;
  expect(accepted()).toBe(1);
  clock.now += 3_600_000;
  expect(accepted()).toBe(submissionsAtOnce);
});

test("a title has as many characters as it may have, and a client that watches submits nothing", () => {
  const { door } = opened();
  expect(door.check(retitle("x".repeat(maxTitleCharacters)))).toBe(null);
  expect(door.check(retitle("x".repeat(maxTitleCharacters + 1)))).not.toBe(null);
  expect(opened("watch").door.check(retitle("x"))).toMatchObject({ code: "door.role" });
});
