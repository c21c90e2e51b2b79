import type { Judgement, PermissionMode, Policy, Workspace } from "@capstan/protocol";
import { judgeCommand } from "./judge-command.ts";
import { judgeUse } from "./judge-use.ts";
import type { JudgedAction } from "./scene.ts";

/**
 * Decides about one action: deny rules beat everything; plan mode caps what is left; ask rules beat allow rules (a grant beats
 * an ask rule); then `--yolo`; then the session's mode. The order of the rules makes no difference.
 */
export function judge(action: JudgedAction, policy: Policy, mode: PermissionMode, workspace: Workspace): Judgement {
  const scene = { policy, mode, workspace };
  return action.command === undefined
    ? judgeUse(action, scene)
    : judgeCommand({ ...action, command: action.command }, scene).judgement;
}
