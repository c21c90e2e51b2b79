import { expect, test } from "vitest";
import { narrowed } from "@capstan/hook-points";
import type { HookOwner, Judgement, RuleVerdict } from "@capstan/protocol";

const verdicts: readonly RuleVerdict[] = ["allow", "ask", "deny"];
const owners: readonly HookOwner[] = ["user", "program", "workspace"];
const rule = { verdict: "ask", tool: "x", source: "user", text: "x" } as const;
const strictness: Readonly<Record<RuleVerdict, number>> = { allow: 0, ask: 1, deny: 2 };

/** Every way in which a call may be judged and a hook may speak. */
const cases = verdicts.flatMap((gate) =>
  verdicts.flatMap((said) =>
    owners.flatMap((by) =>
      [true, false].flatMap((isRule) => [true, false].map((mayAllow) => ({ gate, said, by, isRule, mayAllow }))),
    ),
  ),
);

test("a hook narrows: whatever it says, the stricter word counts; only a yes of the user's own answers what the mode asks", () => {
  for (const { gate, said, by, isRule, mayAllow } of cases) {
    const judgement: Judgement = { verdict: gate, reason: "the gate", ...(isRule ? { rule } : {}) };
    const { verdict } = narrowed(judgement, { verdict: said, reason: "the hook", by }, mayAllow);
    const opens = gate === "ask" && said === "allow" && !isRule && mayAllow && by !== "workspace";
    const stricter = strictness[said] > strictness[gate] ? said : gate;
    expect({ gate, said, by, isRule, mayAllow, verdict }).toEqual({
      gate,
      said,
      by,
      isRule,
      mayAllow,
      verdict: opens ? "allow" : stricter,
    });
  }
});

test("a warning that a user is to see is not answered by a hook", () => {
  const judgement: Judgement = {
    verdict: "ask",
    reason: "it governs agents",
    warnings: ["it changes agent behaviour"],
  };
  expect(narrowed(judgement, { verdict: "allow", reason: "", by: "user" }, true)).toEqual(judgement);
});
