import type { Action, PermissionMode, Policy, Workspace } from "@capstan/protocol";

/** What of an action decides about it. */
export type JudgedAction = Pick<Action, "tool" | "effect" | "risk" | "paths" | "command">;

/** What an action is judged under. */
export interface Scene {
  readonly policy: Policy;
  readonly mode: PermissionMode;
  readonly workspace: Workspace;
}

/** Plan mode caps everything, rules and `--yolo` included: it only reads. */
export const planReason =
  "Plan mode only reads; leave plan mode (another permission mode, or an approved plan) to make changes.";

/** An action that starts a command. */
export type CommandAction = JudgedAction & Required<Pick<JudgedAction, "command">>;
