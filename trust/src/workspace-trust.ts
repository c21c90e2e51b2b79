import type { FileDifference } from "./file-difference.ts";
import type { TrustPlace } from "./find-trust-places.ts";
import type { RefusedFile, TrustFile } from "./read-trust-files.ts";

/** Who said that a workspace is trusted: the store, a user just now, the flag `--trust`, or nobody. */
export type TrustedBy = "store" | "user" | "flag" | "nobody";

/** Whether what a workspace brings along may be loaded. */
export interface WorkspaceTrust {
  readonly trusted: boolean;
  readonly by: TrustedBy;
  /** What trust is about: the root of the repository, or the directory itself. A real path. */
  readonly folder: string;
  /** Everything that trust is about, found by name. */
  readonly places: readonly TrustPlace[];
  /** What is not loaded because the folder is not trusted. */
  readonly ignored: readonly TrustPlace[];
  /** What is not loaded although the folder is trusted. */
  readonly refused: readonly RefusedFile[];
  /** Why a folder that was trusted is not any more. */
  readonly changed: readonly FileDifference[];
  /** SHA-256 of each file that may be loaded, by absolute path. Whoever loads one checks what it read against this. */
  readonly approved: ReadonlyMap<string, string>;
  /** What users are shown, in order. */
  readonly notices: readonly TrustNotice[];
}

export interface TrustNotice {
  readonly level: "info" | "warning";
  readonly code: TrustNoticeCode;
  readonly text: string;
}

export type TrustNoticeCode =
  | "trust.ignored"
  | "trust.note"
  | "trust.changed"
  | "trust.refused"
  | "trust.flag"
  | "trust.store"
  | "trust.hint";

/** What a user is asked. */
export interface TrustQuestion {
  readonly folder: string;
  /** Where the session was to work, as it was named. */
  readonly named: string;
  /** `new`: nobody has decided yet. `replaced`: another folder at that path was trusted. `changed`: this one was, as it was then. */
  readonly why: "new" | "replaced" | "changed";
  readonly places: readonly TrustPlace[];
  readonly changed: readonly FileDifference[];
  /** Reads what would be loaded; the same bytes that a yes is about. */
  read(): readonly TrustFile[];
}

export type TrustAnswer = "trust" | "not-now";

/** Whether a file with this content may be loaded from there. */
export function isApproved(trust: Pick<WorkspaceTrust, "approved">, path: string, sha256: string): boolean {
  return trust.approved.get(path) === sha256;
}
