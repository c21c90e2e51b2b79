import type { InteractionId, SessionId } from "../ids.ts";
import type { Rule } from "./policy.ts";

/** How long an approval holds: this call, this session, or from now on. */
export type GrantScope = "once" | "session" | "always";

/** `workspace`: this call, and all changes in this workspace in this session; it sets the mode `accept-edits`. */
export type ApprovalScope = GrantScope | "workspace";

/**
 * What a session remembers when an approval holds for all of it. `family`: commands that begin with the same words; `command`:
 * the very same; `host`: commands that reach it.
 */
export interface Remembered {
  readonly what: "file" | "family" | "command" | "host" | "tool";
  readonly rule: Rule;
}

/** A remembered approval: an allow rule with its provenance. */
export interface Grant {
  /** Short and stable; people revoke by it. */
  readonly id: string;
  readonly rule: Rule;
  readonly scope: Exclude<GrantScope, "once">;
  /** ms since 1970. */
  readonly grantedAt: number;
  readonly sessionId: SessionId;
  readonly interactionId: InteractionId;
  /** The session's directory (absolute, real): beyond the session it holds there only. */
  readonly cwd?: string;
}
