import type { Policy, Rule } from "@capstan/protocol";
import { judgeByPolicy } from "../judge/judge-command.ts";
import { judgeUse } from "../judge/judge-use.ts";
import { coversAddress, coversHost, opensHost } from "./host-pattern.ts";
import { matchesTool } from "./tool-names.ts";
import type { CommandAction, JudgedAction, Situation } from "../situation.ts";

/**
 * Whether a rule speaks of an action by its tool and patterns, whatever else would decide: an allow rule for a command when it
 * covers one of its parts. Origin, date and scripts of the rule are not looked at.
 */
export function ruleApplies(rule: Rule, action: JudgedAction, workspace: Situation["workspace"]): boolean {
  const { command } = action;
  const { host: pattern } = rule;
  if (pattern !== undefined && action.network !== undefined)
    return matchesTool(rule.tool, action.tool) && coversAddress(pattern, action.network, rule.verdict);
  if (pattern !== undefined) return hostsOf(action).some((host) => speaksOfHost(rule, action.tool, host));
  const situation = { ...bareSituation, workspace, policy: { ...bareSituation.policy, rules: [rule] } };
  if (command === undefined) return judgeUse(action, situation).rule === rule;
  const plain: CommandAction = { ...action, command: { ...command, confinement: { type: "none" } } };
  const { segments, judgement } = judgeByPolicy(plain, situation);
  return judgement.rule === rule || segments.some((segment) => segment.judgement?.rule === rule);
}

/** Whether a rule about hosts speaks of this one. */
export function speaksOfHost(rule: Rule, tool: string, host: string): boolean {
  if (rule.host === undefined || !matchesTool(rule.tool, tool)) return false;
  return rule.verdict === "allow" ? opensHost(rule.host, host) : coversHost(rule.host, host);
}

function hostsOf({ command }: JudgedAction): readonly string[] {
  return command?.confinement.type === "sandbox" ? command.confinement.hosts : [];
}

const noRules: Policy = { approval: "default", rules: [], yolo: false };

// Nothing but the rule decides here: commands count as if no sandbox were wanted.
const bareSituation: Omit<Situation, "workspace"> = {
  policy: noRules,
  mode: "default",
  sandbox: {
    isolation: { type: "none", reason: "it is not looked at" },
    autoRun: false,
    withoutIsolation: "run",
    hosts: [],
  },
  frontend: "",
  now: 0,
};
