import type { Judgement, Rule } from "@capstan/protocol";
import { inertText, quoteRule } from "../quote-for-people.ts";

/** The judgement a rule makes, in one sentence. */
export function judgementByRule(rule: Rule, subject: string): Judgement {
  const because = rule.reason === undefined ? "" : `: ${inertText(rule.reason).replace(/\.$/, "")}`;
  return { verdict: rule.verdict, reason: `The ${quoteRule(rule)} ${verbs[rule.verdict]} ${subject}${because}.`, rule };
}

const verbs = { allow: "allows", ask: "asks for approval of", deny: "denies" } as const;
