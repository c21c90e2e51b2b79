import type { Policy, Workspace } from "@capstan/protocol";
import { judge } from "./judge.ts";
import type { JudgedAction } from "./scene.ts";

const noRules: Policy = { approval: "default", rules: [], yolo: false };

/** Whether an action is certain to change nothing: what plan mode lets through, with no rule's help. */
export function onlyReads(action: JudgedAction, workspace: Workspace): boolean {
  return judge(action, noRules, "plan", workspace).verdict === "allow";
}
