import type { HeldLease, LeaseAnswer, LeaseClaim, LeaseOwner } from "@capstan/ports";
import { isJsonObject, type SessionId, upcastOrigin } from "@capstan/protocol";
import { answerClaim, holderOf, type StoredLease } from "../../stored-lease.ts";
import type { Connection } from "../connection.ts";

/** Decides and writes in one transaction: of two processes that claim at once, the second meets the first's lease. */
export function claimLease(connection: Connection, sessionId: SessionId, claim: LeaseClaim): LeaseAnswer {
  // Without a flush: after a power cut nobody is left whom a forgotten generation could confuse.
  return connection.write("committed", () => {
    const answer = answerClaim(readLease(connection, sessionId), claim);
    if (answer.type === "granted") {
      const { owner, beatMs, at } = claim;
      connection.run(replaceLease, sessionId, answer.generation, JSON.stringify(owner), beatMs, at);
    }
    return answer;
  });
}

/** @returns false when the lease is no longer the caller's */
export function renewLease(connection: Connection, sessionId: SessionId, generation: number, beatMs: number): boolean {
  return connection.write("committed", () => connection.run(moveBeat, beatMs, sessionId, generation)) === 1;
}

export function releaseLease(connection: Connection, sessionId: SessionId, generation: number): void {
  connection.write("committed", () => connection.run(giveBack, sessionId, generation));
}

export function readHolder(connection: Connection, sessionId: SessionId): HeldLease | null {
  return holderOf(readLease(connection, sessionId));
}

/** The last lease given out, held or not. */
export function readLease(connection: Connection, sessionId: SessionId): StoredLease | undefined {
  const [row] = connection.all<LeaseRow>(selectLease, sessionId);
  if (row === undefined) return undefined;
  const { owner, generation, beatMs, claimedAt, held } = row;
  return { owner: parseOwner(owner), generation, beatMs, claimedAt, isHeld: held !== 0 };
}

interface LeaseRow {
  readonly owner: string;
  readonly generation: number;
  readonly beatMs: number;
  readonly claimedAt: number;
  readonly held: number;
}

function parseOwner(text: string): LeaseOwner | null {
  try {
    const parsed: unknown = JSON.parse(text);
    // A lease that an older Capstan holds names its frontend as origins once did.
    const owner = isJsonObject(parsed) ? upcastOrigin(parsed) : null;
    return isOwner(owner) ? owner : null;
  } catch {
    return null;
  }
}

function isOwner(value: unknown): value is LeaseOwner {
  if (!isJsonObject(value) || typeof value["processId"] !== "number") return false;
  return ["id", "processStart", "bootId", "processNamespace", "frontend"].every(
    (field) => typeof value[field] === "string",
  );
}

const selectLease =
  "SELECT owner, generation, beat_ms AS beatMs, claimed_at AS claimedAt, held FROM leases WHERE session_id = ?";
const replaceLease =
  "INSERT OR REPLACE INTO leases (session_id, generation, owner, beat_ms, claimed_at, held) VALUES (?, ?, ?, ?, ?, 1)";
const moveBeat = "UPDATE leases SET beat_ms = ? WHERE session_id = ? AND generation = ? AND held = 1";
const giveBack = "UPDATE leases SET held = 0 WHERE session_id = ? AND generation = ?";
