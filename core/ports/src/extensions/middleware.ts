import type { ClientIdentity, DoorCode, Role, SessionId, Submission } from "@capstan/protocol";

/** Who comes in. `sessionId`: `null` where the session has no id yet. */
export interface Visitor {
  readonly identity: ClientIdentity;
  readonly sessionId: SessionId | null;
}

/** Why somebody, or something, does not come in. `code`: `door.middleware` when left out. */
export interface TurnAway {
  readonly type: "refuse";
  readonly code?: DoorCode;
  readonly reason: string;
  readonly hint?: string;
}

/** The client comes in with this role where it is less than its own; more than its own it never gets. */
export interface LowerRole {
  readonly type: "lower";
  readonly role: Role;
}

/**
 * A function at the door of an engine, which a program adds to the door's own checks. It can refuse, and take away from what a client may
 * do; it cannot add to that. One that throws, or gives no answer in time, refuses.
 */
export interface Middleware {
  /** For messages. */
  readonly name: string;
  /** A client opens a session, or answers from the inbox. @returns nothing where it comes in as it is */
  enter?(visitor: Visitor): Entry | Promise<Entry>;
  /** A client that came in submits something. @returns nothing where the submission passes */
  submit?(submission: Submission, visitor: Visitor): Admission | Promise<Admission>;
}

/** Nothing, where the client comes in as it is. */
export type Entry = TurnAway | LowerRole | undefined;

/** Nothing, where the submission passes. */
export type Admission = TurnAway | undefined;
