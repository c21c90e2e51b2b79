import type { HeldLease, LeaseAnswer, LeaseClaim, LeaseOwner } from "@capstan/ports";
import { AppError, type SessionId } from "@capstan/protocol";

/** The last lease given out for a session. It stays when it is given back, so that no generation comes twice. */
export interface StoredLease {
  /** `null`: what is stored cannot be understood, and so holds nobody's place. */
  readonly owner: LeaseOwner | null;
  readonly generation: number;
  readonly beatMs: number;
  readonly claimedAt: number;
  readonly isHeld: boolean;
}

/** Who holds the lease; `null`: nobody. */
export function holderOf(lease: StoredLease | undefined): HeldLease | null {
  if (lease?.owner == null || !lease.isHeld) return null;
  const { owner, generation, beatMs, claimedAt } = lease;
  return { owner, generation, beatMs, claimedAt };
}

/** What a claim is answered when this is the last lease given out. */
export function answerClaim(lease: StoredLease | undefined, claim: LeaseClaim): LeaseAnswer {
  const holder = holderOf(lease);
  if (holder !== null && !claim.isGone(holder)) return { type: "held", holder };
  return { type: "granted", generation: (lease?.generation ?? 0) + 1 };
}

/**
 * Lets through whom the last lease was given to, and, while nobody holds it, writers without one.
 * @throws {AppError} `session.busy` that names the process in the way
 */
export function assertWriter(sessionId: SessionId, lease: StoredLease | undefined, generation?: number): void {
  if (generation === undefined) {
    assertFree(sessionId, lease);
  } else if (lease?.generation !== generation) {
    throw new AppError(
      "session.busy",
      `session ${sessionId}: ${takenOver(lease)} (this process has lease ${generation})`,
      {
        hint: "Nothing was written. Open the session again to continue from what is stored, or fork it.",
      },
    );
  }
}

/** @throws {AppError} `session.busy` when somebody holds the lease */
export function assertFree(sessionId: SessionId, lease: StoredLease | undefined): void {
  if (lease?.isHeld !== true) return;
  throw new AppError("session.busy", `session ${sessionId}: ${nameOf(lease)} is working in it`, {
    hint: "Wait until it is done or end it, then try again; or fork the session.",
  });
}

function takenOver(lease: StoredLease | undefined): string {
  return lease === undefined ? "its lease is gone" : `${nameOf(lease)} has taken over with lease ${lease.generation}`;
}

function nameOf({ owner }: StoredLease): string {
  return owner === null ? "another process" : `process ${owner.processId} (${owner.frontend})`;
}
