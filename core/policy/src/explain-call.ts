import type { Judgement, NestedCommand, Rule } from "@capstan/protocol";
import { grantOffer } from "./grant-offer.ts";
import { type CommandExplanation, explainCommand } from "./explain-command.ts";
import { judge } from "./judge/judge.ts";
import { type Risk, riskOf } from "./risk.ts";
import { ruleApplies } from "./rules/rule-applies.ts";
import { liveRules } from "./rules/live-rules.ts";
import type { Situation } from "./situation.ts";

type ExplainedAction = Parameters<typeof grantOffer>[0];

/** A rule that speaks of a call, and what became of it. */
export interface ExplainedRule {
  readonly rule: Rule;
  readonly decided: boolean;
  readonly why: string;
}

/** How the judgement of a call came about, as plain data. */
export interface CallExplanation {
  /** Of a call that starts a command. */
  readonly command?: CommandExplanation;
  /** Commands inside the command, and how each is reached. */
  readonly nested: readonly NestedCommand[];
  /** Every rule that speaks of the call. */
  readonly rules: readonly ExplainedRule[];
  readonly judgement: Judgement;
  /** The same where nobody can be asked. */
  readonly headless: Judgement;
  readonly risk: Risk;
  /** The rule that a remembered approval would add. */
  readonly grant?: Rule;
}

/** Judges a call, and says of every rule that speaks of it why it decided or did not. */
export function explainCall(action: ExplainedAction, situation: Situation): CallExplanation {
  const { command } = action;
  const judgement = judge(action, situation);
  const isAsked = judgement.verdict === "ask" && judgement.rule?.locked !== true;
  const grant = isAsked ? grantOffer(action, situation.sandbox.hosts, situation.workspace.cwd) : undefined;
  const live = new Set(liveRules(action, situation));
  const speaking = situation.policy.rules.filter((rule) => ruleApplies(rule, action, situation.workspace));
  return {
    ...(command === undefined ? {} : { command: explainCommand({ ...action, command }, situation) }),
    nested: command?.nested ?? [],
    rules: speaking.map((rule) => ({
      rule,
      decided: rule === judgement.rule,
      why: live.has(rule) ? whyOf(rule, judgement) : whyNotLive(rule, situation),
    })),
    judgement,
    headless: judgeHeadless(action, situation),
    risk: riskOf(action),
    ...(grant === undefined ? {} : { grant }),
  };
}

function judgeHeadless(action: ExplainedAction, situation: Situation): Judgement {
  const { sandbox } = situation;
  const withoutIsolation = sandbox.withoutIsolation === "ask" ? "refuse-unless-reported" : sandbox.withoutIsolation;
  const judgement = judge(action, { ...situation, sandbox: { ...sandbox, withoutIsolation } });
  if (judgement.verdict !== "ask") return judgement;
  return { ...judgement, verdict: "deny", reason: `No user can be asked. ${judgement.reason}` };
}

function whyNotLive({ expiresAt, origin, scripts }: Rule, { now, frontend }: Situation): string {
  if (expiresAt !== undefined && now >= expiresAt) return "its time is over";
  if (origin !== undefined && origin !== frontend)
    return `it is for calls from \`${origin}\`, and this one is from \`${frontend}\``;
  return scripts === undefined ? "it does not count now" : "a script that it was made for has changed";
}

function whyOf(rule: Rule, { verdict, rule: decider }: Judgement): string {
  if (rule === decider) return "it decided";
  if (rule.verdict === verdict && decider !== undefined) return "it says the same; another rule was named first";
  switch (rule.verdict) {
    case "deny":
      return "it speaks of a part that the judgement does not rest on";
    case "ask":
      if (verdict === "deny")
        return decider === undefined ? "what denies stands above rules that ask" : "a rule that denies beats it";
      return decider?.source === "grant" ? "a user's approval answers it" : "it asks nothing here";
    case "allow":
      if (decider !== undefined) return `a rule that ${decider.verdict === "deny" ? "denies" : "asks"} beats it`;
      if (verdict === "deny")
        return "the mode, or where the command would run, denies, and that stands above rules that allow";
      return verdict === "ask" ? "it does not answer all that is asked about" : "the call needed no rule";
  }
}
