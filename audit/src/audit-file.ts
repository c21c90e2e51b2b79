import { createHash } from "node:crypto";
import type { ChainedEvent } from "@capstan/ports";
import type { ImportSource, SessionId } from "@capstan/protocol";
import { type Redact, withoutSecrets } from "@capstan/runtime";
import { firstLink } from "@capstan/importers";
import type { AuditEntry } from "./audit-entry.ts";
import { auditTrail } from "./audit-trail.ts";

/** The first line of an exported audit. */
export interface AuditHeader {
  readonly format: "capstan-audit";
  readonly sessionId: SessionId;
  /** Secrets were taken out, and `hash` is the chain of the entries without them; else it is the link of the record. */
  readonly redacted: boolean;
  /** The last link of the session itself. */
  readonly head: string | null;
}

export interface AuditFile {
  readonly header: AuditHeader;
  readonly entries: readonly AuditEntry[];
}

/** @param redact  absent: everything stays as it is */
export function auditFile(sessionId: SessionId, events: readonly ChainedEvent[], redact?: Redact): AuditFile {
  const head = events.findLast((event) => event.hash !== null)?.hash ?? null;
  const header = { format: "capstan-audit", sessionId, redacted: redact !== undefined, head } as const;
  const trail = auditTrail(events);
  return { header, entries: redact === undefined ? trail : chained(trail, redact) };
}

/** SHA-256 (hex) of `LINK NUMBER TIME JSON` with single spaces, JSON being `what` as it is exported; 64 zeros before the first. */
function chained(trail: readonly AuditEntry[], redact: Redact): readonly AuditEntry[] {
  let hash = firstLink;
  return trail.map(({ seq, at, what: exact }) => {
    const what = withoutSecrets(exact, redact);
    hash = createHash("sha256")
      .update(`${hash} ${seq} ${at} ${JSON.stringify(what)}`)
      .digest("hex");
    return { seq, at, hash, what };
  });
}

/** What of a session was imported; `null`: nothing. */
export function importedPart([first]: readonly ChainedEvent[]): ImportSource | null {
  return first?.record.type === "session-started" ? (first.record.importedFrom ?? null) : null;
}
