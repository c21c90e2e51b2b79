import type { Policy, SandboxSettings, Workspace } from "@capstan/protocol";
import { judge } from "./judge/judge.ts";
import type { JudgedAction } from "./situation.ts";

const noRules: Policy = { approval: "default", rules: [], yolo: false };

/** Where no sandbox helps, only what is understood word by word passes. */
const unaided: SandboxSettings = {
  isolation: { type: "none", reason: "" },
  autoRun: false,
  withoutIsolation: "run",
  hosts: [],
};

/** Whether an action is certain to change nothing: what passes with no rule's and no sandbox's help. */
export function onlyReads(action: JudgedAction, workspace: Workspace): boolean {
  if (action.effect === "write" || action.effect === "delegate") return false;
  const { command } = action;
  // In a sandbox that lets nothing be changed, nothing is.
  if (command?.confinement.type === "sandbox" && ["read", "copy"].includes(command.confinement.workspace)) return true;
  const bare =
    command === undefined ? action : { ...action, command: { ...command, confinement: { type: "none" } as const } };
  return (
    judge(bare, { policy: noRules, mode: "default", workspace, sandbox: unaided, frontend: "", now: 0 }).verdict ===
    "allow"
  );
}
