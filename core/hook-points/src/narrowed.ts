import { type HookVerdict, type Judgement, unreachable } from "@capstan/protocol";

/**
 * The gatekeeper's word together with that of hooks: the stricter one. Only a hook of the user's own, or of the program they run, answers
 * what nothing but the mode asks: no rule does, and there is nothing to be warned of.
 * @param mayAllow  the call is none that a user has to see
 */
export function narrowed(judgement: Judgement, said: HookVerdict | undefined, mayAllow: boolean): Judgement {
  if (said === undefined || judgement.verdict === "deny") return judgement;
  const { verdict, reason, by } = said;
  switch (verdict) {
    case "deny":
      return { verdict, reason };
    case "ask":
      return { ...judgement, verdict, reason };
    case "allow": {
      const isOpen = judgement.rule === undefined && (judgement.warnings ?? []).length === 0;
      return judgement.verdict === "ask" && isOpen && mayAllow && by !== "workspace" ? { verdict, reason } : judgement;
    }
    default:
      return unreachable(verdict);
  }
}
