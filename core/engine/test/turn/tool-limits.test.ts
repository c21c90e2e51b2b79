import type { Rule, RuleVerdict, ToolLimits } from "@capstan/protocol";
import {
  action,
  allowing,
  call,
  callAnswer,
  completes,
  ends,
  packed,
  play,
  prepared,
  says,
  sessionConfig,
} from "@capstan/testkit";
import { expect, test } from "vitest";

function rule(tool: string, verdict: RuleVerdict): Rule {
  return { verdict, tool, source: "session", text: tool };
}

function limits(allow: readonly string[], deny: readonly string[] = []): ToolLimits {
  return {
    by: "the skill look",
    allow: allow.map((tool) => rule(tool, "allow")),
    deny: deny.map((tool) => rule(tool, "deny")),
  };
}

const changes = ["1change", "1other"];

/** What is decided on calls of `change` and `other` in the step after calls that set limits. */
function verdicts(
  held: readonly ToolLimits[],
  allowed: readonly string[],
  ofAgent: readonly ToolLimits[] = [],
): Readonly<Record<string, RuleVerdict>> {
  const tools = ["look", "change", "other"].map((name) => ({ name, description: name, inputSchema: {} }));
  const agent = { name: "maker", depth: 1, prompt: "", tools: null, limits: ofAgent };
  const config = sessionConfig({
    policy: { rules: allowed.map((tool) => allowing(tool)) },
    mode: "default",
    ...(ofAgent.length === 0 ? {} : { tools, agent }),
  });
  const { journal } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer(held.map((_, index) => call(`l${index}`, "look", {})))),
      prepared(
        "t1.s1",
        Object.fromEntries(held.map((_, index) => [`l${index}`, action("look", {}, { effect: "read" })])),
      ),
      ...held.map((each, index) => ({ ...ends(`l${index}`), limits: each })),
      completes("t1.s2", callAnswer(changes.map((id) => call(id, id.slice(1), {})))),
      prepared("t1.s2", Object.fromEntries(changes.map((id) => [id, action(id.slice(1), {}, { effect: "write" })]))),
    ],
    config,
  );
  return Object.fromEntries(
    journal.flatMap((record) => (record.type === "tool-decided" ? [[record.callId, record.judgement.verdict]] : [])),
  );
}

test("a turn that is held to tools is denied every change by another, and asked or allowed as without for those", () => {
  expect(verdicts([limits([])], ["change", "other"])).toMatchObject({ "1change": "allow", "1other": "allow" });
  expect(verdicts([limits(["change"])], ["change", "other"])).toMatchObject({ "1change": "allow", "1other": "deny" });
  expect(verdicts([limits(["change"])], [])).toMatchObject({ "1change": "ask", "1other": "deny" });
});

test("an agent is held in every turn to the limits of its profile, beside those of the turn", () => {
  const ofAgent = [limits(["change"])];
  const allowed = ["change", "other"];
  expect(verdicts([limits([])], allowed, ofAgent)).toMatchObject({ "1change": "allow", "1other": "deny" });
  expect(verdicts([limits(["other"])], allowed, ofAgent)).toMatchObject({ "1change": "deny", "1other": "deny" });
  expect(verdicts([limits([])], allowed, [limits([])])).toMatchObject({ "1change": "allow", "1other": "allow" });
});

test("limits add up: what one of them leaves out stays denied, and what one denies, too", () => {
  expect(verdicts([limits(["change"]), limits(["other"])], ["change", "other"])).toMatchObject({
    "1change": "deny",
    "1other": "deny",
  });
  expect(verdicts([limits([], ["other"])], ["change", "other"])).toMatchObject({
    "1change": "allow",
    "1other": "deny",
  });
});
