/** Who works for whom. */
import { type SessionSummary, toSessionId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { agentsOf, callersOf } from "../src/index.ts";

type Related = Pick<SessionSummary, "id" | "spawnedBy">;

function session(id: string, caller?: string): Related {
  const by = caller === undefined ? {} : { spawnedBy: { sessionId: toSessionId(caller), agent: "bash" } };
  return { id: toSessionId(id), ...by };
}

const family = [
  session("deep", "child"),
  session("root"),
  session("child", "root"),
  session("other"),
  session("two", "root"),
];
const byId = new Map(family.map((one) => [one.id, one]));

test("a session's callers are named from the nearest on, and its agents each behind their caller", () => {
  expect(callersOf(toSessionId("deep"), byId)).toEqual(["child", "root"]);
  expect(callersOf(toSessionId("root"), byId)).toEqual([]);
  expect(agentsOf(toSessionId("root"), family)).toEqual(["child", "two", "deep"]);
  expect(agentsOf(toSessionId("other"), family)).toEqual([]);
});

test("two that say they work for each other are an end, not a circle", () => {
  const circle = [session("one", "two"), session("two", "one")];
  const known = new Map(circle.map((each) => [each.id, each]));
  expect(callersOf(toSessionId("one"), known)).toEqual(["two", "one"]);
  expect(agentsOf(toSessionId("one"), circle)).toEqual(["two"]);
});
