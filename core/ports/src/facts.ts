import type { FactScope, KnownFact, SessionId } from "@capstan/protocol";

/** Words that were said earlier in a session. `by`: who said them. `at`: ms since 1970. */
export interface RecalledPassage {
  readonly seq: number;
  readonly at: number;
  readonly by: "user" | "model" | "tool";
  readonly text: string;
}

/** What is wanted back. `cwd`: absolute and real. `sessionId`: whose conversation is searched; `null`: none. */
export interface RecallRequest {
  readonly words: string;
  readonly cwd: string;
  readonly sessionId: SessionId | null;
  readonly limit: number;
}

/** The best first, each. */
export interface Recalled {
  readonly facts: readonly KnownFact[];
  readonly passages: readonly RecalledPassage[];
}

/** Something that is to be remembered. */
export interface NewFact {
  readonly text: string;
  readonly scope: FactScope;
  readonly cwd: string;
  /** Names it is found by; paths among them tie it to those files. */
  readonly entities: readonly string[];
  readonly by: "user" | "model";
  /** The session it is said in; `null`: none. */
  readonly sessionId: SessionId | null;
  /** Saying the same again with it changes nothing; absent: every time is a new one. */
  readonly key?: string;
}

/**
 * What is remembered beyond the window of a model and beyond a session.
 *
 * Contract:
 * - `recall` finds what was said in the session however often it was summarised, and facts of this folder and of the user.
 * - `remember` has stored the fact when it resolves.
 */
export interface Facts {
  recall(request: RecallRequest, signal: AbortSignal): Promise<Recalled>;
  remember(fact: NewFact): Promise<KnownFact>;
  /** Whether a fact with that key was remembered. */
  isRemembered(sessionId: SessionId, key: string): Promise<boolean>;
}
