import type { Action, PermissionMode, Policy, SandboxSettings, Workspace } from "@capstan/protocol";

/** What of an action decides about it. */
export type JudgedAction = Pick<Action, "tool" | "effect" | "risk" | "paths" | "command" | "network" | "proposes">;

/** What an action is judged under. */
export interface Situation {
  readonly policy: Policy;
  readonly mode: PermissionMode;
  readonly workspace: Workspace;
  readonly sandbox: SandboxSettings;
  /** Frontend the turn's words came from; rules may speak of it. */
  readonly frontend: string;
  /** ms since 1970, for rules that expire. */
  readonly now: number;
}

/** Plan mode caps everything, rules and `--yolo` included: it only reads. */
export const planReason =
  "Plan mode only reads; leave plan mode (another permission mode, or an approved plan) to make changes.";

/** An action that starts a command. */
export type CommandAction = JudgedAction & Required<Pick<JudgedAction, "command">>;

/** Whether a command is certain to be kept apart from the machine. */
export function runsIsolated({ command }: CommandAction, { sandbox }: Situation): boolean {
  return command.confinement.type === "sandbox" && sandbox.isolation.type === "enforced";
}

/** Whether a sandboxed command may change files of the workspace other than build folders. */
export function changesWorkspace({ command }: CommandAction): boolean {
  return command.confinement.type === "sandbox" && command.confinement.workspace === "write";
}
