import type { RiskLevel, ScriptContent } from "../action.ts";

/** How far the agent may go now, in this session. */
export type PermissionMode = "plan" | "default" | "accept-edits" | "auto";
export const permissionModes: readonly PermissionMode[] = ["plan", "default", "accept-edits", "auto"];

/** What people of other agents call them. */
export const permissionModeAliases: Readonly<Record<string, PermissionMode>> = {
  acceptEdits: "accept-edits",
  accept_edits: "accept-edits",
  acceptedits: "accept-edits",
  "auto-edit": "accept-edits",
  auto_edit: "accept-edits",
  autoEdit: "accept-edits",
  "workspace-write": "accept-edits",
  "full-auto": "auto",
  ask: "default",
  manual: "default",
  normal: "default",
  "read-only": "plan",
  readonly: "plan",
};

/** How much the mode `default` asks (`[tools.approval] mode`). */
export type ApprovalMode = "permissive" | "default" | "strict";

export type RuleVerdict = "allow" | "ask" | "deny";

/** Where a rule came from, for explanations. */
export type RuleSource = "built-in" | "managed" | "user" | "project" | "environment" | "flag" | "session" | "grant";

/**
 * One permission rule. All given fields must match; a field left out matches everything.
 * `tool`: canonical name, alias, or `*` glob. `command`: pattern over one command (`git status`, `npm run *`, `npm test:*`).
 * `path`: glob over the shown path, or an absolute glob. Both may be `regex:` and a regular expression. `host`: network host the call wants, exact or `*.example.org`.
 * `origin`: frontend the turn's words came from (`cli`, `telegram`, …).
 */
export interface Rule {
  readonly verdict: RuleVerdict;
  readonly tool: string;
  readonly command?: string;
  readonly path?: string;
  /** `path` is a deny pattern: it means what it means to the file tools and the sandbox. */
  readonly protects?: true;
  readonly host?: string;
  readonly origin?: string;
  readonly reason?: string;
  /** Shown with what it decides. */
  readonly risk?: RiskLevel;
  /** No grant and no `--yolo` answers or outweighs it. */
  readonly locked?: true;
  /** Only calls that may lose something for good (`true`), or only those that surely do not (`false`). */
  readonly destructive?: boolean;
  /** ms since 1970; it no longer counts then. */
  readonly expiresAt?: number;
  /** Files a command runs, with the content they must have (SHA-256, hex) for the rule to apply. */
  readonly scripts?: readonly ScriptContent[];
  readonly source: RuleSource;
  /** As the user wrote it: `run_command(npm test)`. */
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
  /** What a user is warned of when asked; absent: nothing. */
  readonly warnings?: readonly string[];
}

/**
 * What the rest of a turn is held to, since the model took something up (a skill): of what changes anything only what one of `allow`
 * names, where there is any; and nothing that one of `deny` names. It never allows what would be denied or asked about without it.
 */
export interface ToolLimits {
  /** What set them, for people and the model: `the skill release`. */
  readonly by: string;
  readonly allow: readonly Rule[];
  readonly deny: readonly Rule[];
}
