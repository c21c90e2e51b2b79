import type { Question } from "./question.ts";
import type { Action, FileChange, RiskLevel } from "../action.ts";
import type { ApprovalScope, Remembered } from "./grant.ts";
import type { InteractionId, ToolCallId } from "../ids.ts";
import type { JsonObject } from "../json.ts";
import type { PermissionMode, Rule } from "./policy.ts";

/** Who and which frontend something came from. */
export interface Origin {
  readonly frontend: string;
  readonly user?: string;
}

/** What a user is asked. */
export type InteractionRequest =
  | {
      readonly type: "approval";
      readonly callId: ToolCallId;
      readonly action: Action;
      readonly reason: string;
      readonly risk: RiskLevel;
      /** What a user should know before answering, most important first: no sandbox, odd characters, a file behind a link, … */
      readonly warnings: readonly string[];
      /** What it would do to files, worked out before anybody is asked; absent where that cannot be known. */
      readonly changes?: readonly FileChange[];
      /** What the answer `session` remembers; absent where that is not offered. */
      readonly remembered?: Remembered;
      /** The rule that the answer `always` adds, the narrowest; absent where none is offered. */
      readonly grant?: Rule;
      /** The answer `workspace` is offered: mode `accept-edits` would let this call pass unasked, and others like it. */
      readonly workspaceOffer?: true;
    }
  | {
      readonly type: "question";
      readonly callId: ToolCallId;
      readonly questions: readonly Question[];
      /** Who asks, where it is not the model: the call is under way, and waits for the answer as long as its process lives. */
      readonly asker?: string;
    }
  /** A plan is ready; approving it leaves plan mode and begins one turn that carries it out. */
  | { readonly type: "plan-review"; readonly callId: ToolCallId; readonly plan: string }
  /** A limit of the turn was reached; `continue` allows as much again. */
  | { readonly type: "budget"; readonly limit: string; readonly used: number; readonly allowed: number }
  /** Effects whose outcome a crash left unknown. */
  | { readonly type: "recovery"; readonly calls: readonly CallInDoubt[] };

/** A call whose outcome is not known; `finding`: what is known, in words; `changed`: files that changed since it began, absolute. */
export interface CallInDoubt {
  readonly callId: ToolCallId;
  readonly action: Action;
  readonly finding?: string;
  readonly changed?: readonly string[];
}

/**
 * Which answers fit is a matter of the request: approval takes approve, edit and deny; a question takes reply and deny; a plan
 * review plan; budget continue and stop; recovery the last five.
 */
export type InteractionAnswer =
  | { readonly type: "approve"; readonly digest: string; readonly scope?: ApprovalScope }
  /** Other arguments: a new action, checked again. */
  | { readonly type: "edit"; readonly digest: string; readonly arguments: JsonObject }
  | { readonly type: "deny"; readonly message?: string }
  /** One entry per question, in order; several where several may be chosen. */
  | { readonly type: "reply"; readonly answers: readonly (readonly string[])[] }
  | {
      readonly type: "plan";
      readonly digest: string;
      readonly decision: "proceed" | "proceed-clean" | "adjust" | "cancel";
      /** The mode to carry it out in; `accept-edits` when left out. */
      readonly mode?: Exclude<PermissionMode, "plan">;
      /** What to change about the plan. */
      readonly message?: string;
    }
  | { readonly type: "continue" }
  | { readonly type: "stop" }
  | { readonly type: "accept-as-done" }
  | { readonly type: "run-again" }
  /** The files go back to what they were before the calls; the model is informed. */
  | { readonly type: "undo" }
  | { readonly type: "tell-model" }
  | { readonly type: "discard" };

/** How a question ends. `void`: what asked it ended before anyone answered; `expired`: nobody answered in time. */
export type InteractionEnd = InteractionAnswer | { readonly type: "void" } | { readonly type: "expired" };

/** Something that waits for a user. It outlives processes; the first valid answer settles it. */
export interface Interaction {
  readonly id: InteractionId;
  readonly request: InteractionRequest;
  /** What an answer is bound to: the action's digest, the plan's, or that of the request. */
  readonly digest: string;
  /** ms since 1970. */
  readonly openedAt: number;
  /** ms since 1970; from then on it counts as denied. `null`: it waits as long as it takes. */
  readonly expiresAt: number | null;
  /** Whose words led to it. */
  readonly origin: Origin;
  /** Users who may answer; empty: whoever may write to the session. */
  readonly answerers: readonly string[];
}

/** An approved plan: the review it was approved in, and the digest of exactly what was shown there. */
export interface PlanToCarryOut {
  readonly interactionId: InteractionId;
  readonly digest: string;
  /** From here on the model sees a line in place of all that was said before; the originals stay in the journal. */
  readonly clean: boolean;
}
