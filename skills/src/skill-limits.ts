import { parseRule } from "@capstan/policy";
import type { Rule, Skill, ToolLimits } from "@capstan/protocol";

/** What a turn is held to that follows a skill: the tools that the skill names. `undefined`: it names none. */
export function limitsOf({ name, tools }: Skill): ToolLimits | undefined {
  if (tools === undefined) return undefined;
  return {
    by: `the skill ${name}`,
    allow: tools.allow.map((text) => ruleOf(text, "allow")),
    deny: tools.deny.map((text) => ruleOf(text, "deny")),
  };
}

/** A pattern that means nothing to us is left away; what is no rule at all names no tool, so that it allows none. */
function ruleOf(text: string, verdict: Rule["verdict"]): Rule {
  for (const written of [text, text.replace(/\([^]*$/, "")]) {
    const rule = parseRule(written, verdict, "session");
    if (!("problem" in rule)) return { ...rule, text };
  }
  return { verdict, tool: "no-such-tool", source: "session", text };
}
