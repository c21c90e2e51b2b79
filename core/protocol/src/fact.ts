import type { SessionId } from "./ids.ts";

/**
 * What a fact says. `pinned`: somebody asked that it be remembered. `constraint`, `decision`: what binds, and what was settled.
 * `code-state`: which work last changed a file.
 */
export type FactKind = "pinned" | "constraint" | "decision" | "code-state";

/** Where a fact holds: in its session, in its folder, or in all work of the user. */
export type FactScope = "session" | "workspace" | "user";

/** A file that a fact speaks of, as it was then. `path`: absolute and real. `sha256`: hex, of its bytes. */
export interface FactFile {
  readonly path: string;
  readonly sha256: string;
}

/** Something that a user wants remembered. `cwd`: the folder it is said in, absolute and real. */
export interface FactWords {
  readonly text: string;
  readonly scope: Exclude<FactScope, "session">;
  readonly cwd: string;
}

/** Something that is remembered beyond the conversation it was said in. */
export interface Fact {
  readonly id: string;
  readonly kind: FactKind;
  readonly scope: FactScope;
  /** The folder it was learned in: absolute and real; `null`: none in particular. */
  readonly cwd: string | null;
  readonly text: string;
  /** Names it is found by, beside its words. */
  readonly entities: readonly string[];
  /** It is stale when one of these is not as it was. */
  readonly files: readonly FactFile[];
  /** Who said so. `rules`: it was read out of a session's journal. */
  readonly by: "user" | "model" | "rules";
  /** Where it was said, `seq` 0 where no record is known; `null`: outside of any session. */
  readonly source: { readonly sessionId: SessionId; readonly seq: number } | null;
  /** ms since 1970. */
  readonly at: number;
}

/** A fact, and whether the files it speaks of have changed since. */
export interface KnownFact extends Fact {
  readonly isStale: boolean;
}

/** Which facts are wanted. */
export interface FactQuery {
  /** Those whose id begins so; then nothing else but `limit` counts. */
  readonly id?: string;
  /** Those that have some of these words, the best first; absent: all, the newest first. */
  readonly words?: string;
  /** Those of this folder, and of the user; absent: of every folder. */
  readonly cwd?: string;
  /** Those learned from this moment on, and before that one; ms since 1970. */
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}
