import type { JsonValue } from "../json.ts";
import type { ClientIdentity } from "./client-identity.ts";

/** One thing that was looked at. */
export interface Check {
  /** What was looked at, in a word or two. */
  readonly name: string;
  /** `note`: worth knowing, and no problem. */
  readonly verdict: "good" | "bad" | "note";
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

/** Something that a language server finds wrong with a file. Lines and columns from 1; columns in UTF-16 units. */
export interface FileProblem {
  /** A real, absolute path. */
  readonly path: string;
  /** The server's name in the configuration. */
  readonly server: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly text: string;
  /** What the server calls it; empty: nothing. */
  readonly code: string;
}

/** A setting as it holds. */
export interface ConfigEntry {
  readonly key: string;
  /** A secret is masked. */
  readonly value: JsonValue;
  /** The strongest layer that set it, in words: `default`, `variable CAPSTAN_MODEL`, a file with its line. */
  readonly origin: string;
  /** Where it is locked, in words: no other layer changes it. */
  readonly locked?: string;
}

/** Workspaces that bring along what would change how Capstan works in them, and that nobody trusts as they are now. */
export interface TrustClient {
  /** Those in which sessions of this engine work. */
  questions(): Promise<readonly TrustRequest[]>;
  /**
   * `trust`: everything that the question names counts for every process that starts from then on, and in this one for every session that is
   * opened from then on; those that are open keep what they have. `not-now` changes nothing. An answer to a workspace that has changed since does not count.
   * @returns whether it counted
   */
  answer(
    question: Pick<TrustRequest, "folder" | "digest">,
    answer: "trust" | "not-now",
    identity: ClientIdentity,
  ): Promise<boolean>;
}

export interface TrustRequest {
  /** The root of the repository, or the directory itself: an absolute real path. */
  readonly folder: string;
  /** Of the files as they are now: an answer names it. */
  readonly digest: string;
  /** `new`: nobody has decided yet. `replaced`: another folder at that path was trusted. `changed`: this one was, as it was then. */
  readonly why: "new" | "replaced" | "changed";
  /** What it brings along. */
  readonly files: readonly { readonly name: string; readonly about: string; readonly sha256: string }[];
}
