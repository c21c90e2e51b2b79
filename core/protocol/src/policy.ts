/** How far the agent may go now, in this session. */
export type PermissionMode = "plan" | "default" | "accept-edits" | "auto";
export const permissionModes: readonly PermissionMode[] = ["plan", "default", "accept-edits", "auto"];

/** How much the mode `default` asks (`[tools.approval] mode`). */
export type ApprovalMode = "permissive" | "default" | "strict";

export type RuleVerdict = "allow" | "ask" | "deny";

/** Where a rule came from, for explanations. */
export type RuleSource = "built-in" | "user" | "project" | "environment" | "flag" | "grant";

/**
 * One permission rule. All given fields must match; a field left out matches everything.
 * `tool`: canonical name, alias, or `*` glob. `command`: pattern over one command (`git status`, `npm run *`, `npm test:*`).
 * `path`: glob over the shown path, or an absolute glob.
 */
export interface Rule {
  readonly verdict: RuleVerdict;
  readonly tool: string;
  readonly command?: string;
  readonly path?: string;
  readonly reason?: string;
  readonly source: RuleSource;
  /** As the person wrote it: `run_command(npm test)`. */
  readonly text: string;
}

export interface Policy {
  readonly approval: ApprovalMode;
  readonly rules: readonly Rule[];
  /** `--yolo`: everything that no rule denies or asks for is allowed, opaque shell text included. */
  readonly yolo: boolean;
}

/** What the gatekeeper says about one action, and why. `rule` is absent when the mode decided. */
export interface Judgement {
  readonly verdict: RuleVerdict;
  readonly reason: string;
  readonly rule?: Rule;
}
