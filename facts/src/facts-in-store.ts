import type { ContextTurn, Facts, FactStore, NewFact, Recalled, RecalledPassage, RecallRequest } from "@capstan/ports";
import { inertLine } from "@capstan/patterns";
import {
  AppError,
  type ContextPart,
  type Fact,
  type FactQuery,
  type KnownFact,
  type SessionEvent,
  type SessionId,
} from "@capstan/protocol";
import { fileOfEntity, isStale } from "./fact-files.ts";
import type { FactsOptions } from "./facts-options.ts";
import { factsPart } from "./facts-part.ts";
import { JournalReader } from "./journal-reader.ts";
import { maxEntities, maxEntityCharacters, maxFactCharacters, maxFactFiles } from "./limits.ts";
import { factId } from "./read-facts.ts";

import { piecesOf, wordsOf } from "./read-passages.ts";

/** What is remembered, over an open store. */
export class FactsInStore implements Facts {
  readonly #options: FactsOptions;
  readonly #store: FactStore;
  readonly #reader: JournalReader;

  constructor(options: FactsOptions, store: FactStore) {
    this.#options = options;
    this.#store = store;
    this.#reader = new JournalReader(options.sessions, store);
  }

  async recall({ words, cwd, sessionId, limit }: RecallRequest, signal: AbortSignal): Promise<Recalled> {
    await this.#reader.readFolder(cwd, { signal });
    const found = await this.#store.find({ words, cwd, limit, ...(sessionId === null ? {} : { sessionId }) });
    const passages = sessionId === null ? [] : await this.#passages(sessionId, { words, limit, signal });
    return { facts: await withStaleness(found), passages };
  }

  async remember({ text, scope, cwd, entities, by, sessionId, key }: NewFact): Promise<KnownFact> {
    const { now, newId, redact } = this.#options;
    const words = inertLine(redact(text), maxFactCharacters);
    if (words === "") throw new AppError("usage.invalid", "a fact must have words");
    const names = entities.map((name) => inertLine(redact(name), maxEntityCharacters)).slice(0, maxEntities);
    const files = await Promise.all(names.map((name) => fileOfEntity(cwd, name)));
    const fact: Fact = {
      id: sessionId === null || key === undefined ? factId(newId()) : keyedId(sessionId, key),
      kind: "pinned",
      scope,
      cwd: scope === "user" ? null : cwd,
      text: words,
      entities: names,
      files: files.flatMap((file) => (file === undefined ? [] : [file])).slice(0, maxFactFiles),
      by,
      source: sessionId === null ? null : { sessionId, seq: 0 },
      at: now(),
    };
    await this.#store.add([fact]);
    return { ...fact, isStale: false };
  }

  async isRemembered(sessionId: SessionId, key: string): Promise<boolean> {
    return (await this.#store.withId(keyedId(sessionId, key), 1)).length > 0;
  }

  /** What is known, after what the journals have to add. */
  async list(query: FactQuery): Promise<readonly KnownFact[]> {
    await this.#reader.readFolder(query.cwd ?? null, {});
    return await withStaleness(await this.#store.find(query));
  }

  /** What is known already; no journal is read. */
  async known(query: FactQuery & { readonly sessionId?: SessionId }): Promise<readonly KnownFact[]> {
    return await withStaleness(await this.#store.find(query));
  }

  /** Facts whose id begins so. */
  async withId(prefix: string, limit: number): Promise<readonly KnownFact[]> {
    return await withStaleness(await this.#store.withId(prefix, limit));
  }

  /** Gives a fact other words. From then on it is the user's. @returns `null`: there is none of that id */
  async change(id: string, text: string): Promise<KnownFact | null> {
    const [fact] = await this.withId(id, 1);
    const words = inertLine(this.#options.redact(text), maxFactCharacters);
    if (fact === undefined || fact.id !== id) return null;
    if (words === "") throw new AppError("usage.invalid", "a fact must have words");
    const { isStale: _, ...known } = fact;
    const changed: Fact = { ...known, text: words, kind: "pinned", by: "user", at: this.#options.now() };
    await this.#store.add([changed]);
    return { ...changed, isStale: await isStale(changed) };
  }

  /** @returns whether there was one */
  async forget(id: string): Promise<boolean> {
    return await this.#store.remove(id);
  }

  /** Nothing of a session that is deleted is found again. */
  async forgetSession(sessionId: SessionId): Promise<void> {
    await this.#store.forgetSession(sessionId);
  }

  /** What a turn is shown. */
  async part(turn: ContextTurn & { readonly cwd: string }, limitBytes: number): Promise<ContextPart | undefined> {
    return await factsPart(this, turn, limitBytes);
  }

  /** Reads a little further in the journals of a folder, before a turn or beside it; never throws. */
  async readOn(cwd: string, bounds: { readonly maxReads: number; readonly isWaitedFor?: boolean }): Promise<void> {
    await this.#reader.readFolder(cwd, bounds).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#reader.stop();
    await this.#store.close();
  }

  async #passages(
    sessionId: SessionId,
    { words, limit, signal }: Pick<RecallRequest, "words" | "limit"> & { readonly signal: AbortSignal },
  ): Promise<readonly RecalledPassage[]> {
    await this.#reader.readPassages(sessionId, signal);
    const places = await this.#store.findPassages(sessionId, words, limit);
    const found = await Promise.all(
      places.map(async ({ seq, part }) => {
        const [event] = await this.#options.sessions.read(sessionId, seq - 1, 1);
        return event?.seq === seq ? passageOf(event, part) : [];
      }),
    );
    return found.flat();
  }
}

function passageOf({ seq, at, record }: SessionEvent, part: number): readonly RecalledPassage[] {
  const said = wordsOf(record);
  const text = said === undefined ? undefined : piecesOf(said.text)[part];
  return said === undefined || text === undefined ? [] : [{ seq, at, by: said.by, text }];
}

function keyedId(sessionId: SessionId, key: string): string {
  return factId("remembered", sessionId, key);
}

async function withStaleness(facts: readonly Fact[]): Promise<readonly KnownFact[]> {
  return await Promise.all(facts.map(async (fact) => ({ ...fact, isStale: await isStale(fact) })));
}
