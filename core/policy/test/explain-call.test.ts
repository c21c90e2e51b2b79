import type { Rule } from "@capstan/protocol";
import { expect, test } from "vitest";
import { explainCall } from "../src/index.ts";
import { commandAction, policy, rules, situation } from "./situations.ts";

const now = 1_000;

/** Why each rule that speaks of `npm test` decided or did not. */
function reasons(
  under: readonly Rule[],
  overrides: Partial<Parameters<typeof explainCall>[1]> = {},
): readonly string[] {
  const explained = explainCall(commandAction("npm test"), {
    ...situation(policy({ rules: under })),
    now,
    ...overrides,
  });
  return explained.rules.map(({ decided, why }) => `${decided ? "decided" : "did not"}: ${why}`);
}

test("the rule that decided says so, and each other one what stood against it", () => {
  const [allow, deny, ask] = rules("allow run_command(npm *)", "deny run_command(npm test)", "ask run_command(npm)");
  if (allow === undefined || deny === undefined || ask === undefined) throw new Error("three rules");
  expect(reasons([allow, deny, ask])).toEqual([
    "did not: a rule that denies beats it",
    "decided: it decided",
    "did not: a rule that denies beats it",
  ]);
  expect(reasons([allow])).toEqual(["decided: it decided"]);
  expect(reasons(rules("allow read_file"))).toEqual([]);
});

test("a rule that does not count now says why", () => {
  const [allow] = rules("allow run_command(npm *)");
  if (allow === undefined) throw new Error("one rule");
  const limited = (expiresAt: number): Rule => ({ ...allow, expiresAt });
  expect(reasons([limited(now)])).toEqual(["did not: its time is over"]);
  expect(reasons([limited(now + 1)])).toEqual(["decided: it decided"]);
  const elsewhere: Rule = { ...allow, origin: "acp" };
  expect(reasons([elsewhere])).toEqual(["did not: it is for calls from `acp`, and this one is from `cli`"]);
  expect(reasons([elsewhere], { frontend: "acp" })).toEqual(["decided: it decided"]);
});

test("where nobody can be asked, what would be asked is denied, and the rest is as it is", () => {
  const asked = explainCall(commandAction("npm test"), situation(policy()));
  expect([asked.judgement.verdict, asked.headless.verdict]).toEqual(["ask", "deny"]);
  expect(asked.headless.reason).toBe(`No user can be asked. ${asked.judgement.reason}`);
  expect(asked.grant).toBeDefined();
  const allowed = explainCall(
    commandAction("npm test"),
    situation(policy({ rules: rules("allow run_command(npm *)") })),
  );
  expect([allowed.headless.verdict, allowed.grant]).toEqual(["allow", undefined]);
});
