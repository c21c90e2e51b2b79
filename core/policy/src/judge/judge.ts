import type { Judgement } from "@capstan/protocol";
import { judgeCommand } from "./judge-command.ts";
import { judgeUse } from "./judge-use.ts";
import { liveRules } from "../rules/live-rules.ts";
import type { JudgedAction, Situation } from "../situation.ts";

/**
 * Decides about one action: deny rules beat everything; plan mode caps what is left; ask rules beat allow rules (a grant beats
 * an ask rule that is not locked); then `--yolo`; then the sandbox and the session's mode. The order of the rules makes no
 * difference.
 */
export function judge(action: JudgedAction, situation: Situation): Judgement {
  const live: Situation = { ...situation, policy: { ...situation.policy, rules: liveRules(action, situation) } };
  return action.command === undefined
    ? judgeUse(action, live)
    : judgeCommand({ ...action, command: action.command }, live).judgement;
}
