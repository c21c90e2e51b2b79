import type { Fact, FactQuery, SessionId } from "@capstan/protocol";

/** Words of a session's journal that can be found again. `part`: which piece of the record's text, from 0. */
export interface Passage {
  readonly seq: number;
  readonly part: number;
  readonly text: string;
}

/** Where a passage stands; its text is read from the journal. */
export type PassagePlace = Omit<Passage, "text">;

/**
 * What is remembered beyond sessions, and the words by which what was said in a session is found again.
 *
 * Contract:
 * - A fact whose id is known is replaced. Each method is one transaction: all of it or nothing.
 * - `find` with words answers with facts that have at least one of them, as whole words whatever their case and accents, the best first.
 * - How far a journal was read is stored together with what was read out of it, so that nothing is read twice or left out.
 * - Facts are the user's; passages are a copy for search: losing them loses nothing.
 */
export interface FactStore {
  /** @param read  these facts are all that was in the session's records up to the number `through` */
  add(facts: readonly Fact[], read?: { readonly sessionId: SessionId; readonly through: number }): Promise<void>;
  /** Those of a session hold there only: they are found with that session's id. */
  find(query: FactQuery & { readonly sessionId?: SessionId }): Promise<readonly Fact[]>;
  /** Facts whose id begins so, at most `limit`. */
  withId(prefix: string, limit: number): Promise<readonly Fact[]>;
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>;
  /** The number up to which facts were read out of a session's journal; 0: none were. */
  readThrough(sessionId: SessionId): Promise<number>;
  /** @param through  these are all passages of the records up to this number */
  addPassages(sessionId: SessionId, passages: readonly Passage[], through: number): Promise<void>;
  passagesThrough(sessionId: SessionId): Promise<number>;
  /** The best first. */
  findPassages(sessionId: SessionId, words: string, limit: number): Promise<readonly PassagePlace[]>;
  /** Forgets what was read out of a deleted session. What somebody asked to be remembered beyond it stays, without its source. */
  forgetSession(sessionId: SessionId): Promise<void>;
  close(): Promise<void>;
}
