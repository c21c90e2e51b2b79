import type { InteractionId, ToolCallId } from "./ids.ts";
import type { Action } from "./action.ts";

/** Who and which face something came from. */
export interface Origin {
  readonly face: string;
  readonly user?: string;
}

/** What a person is asked. */
export type InteractionRequest =
  | { readonly type: "approval"; readonly callId: ToolCallId; readonly action: Action; readonly reason: string }
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

/** Which answers fit is a matter of the request: approval takes approve and deny; budget continue and stop; recovery the last five. */
export type InteractionAnswer =
  | { readonly type: "approve"; readonly digest: string }
  | { readonly type: "deny"; readonly message?: string }
  | { readonly type: "continue" }
  | { readonly type: "stop" }
  | { readonly type: "accept-as-done" }
  | { readonly type: "run-again" }
  /** The files go back to what they were before the calls; the model is told. */
  | { readonly type: "undo" }
  | { readonly type: "tell-model" }
  | { readonly type: "discard" };

export interface Interaction {
  readonly id: InteractionId;
  readonly request: InteractionRequest;
}
