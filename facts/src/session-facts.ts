import type { ContextTurn, Facts, NewFact, Recalled, RecallRequest } from "@capstan/ports";
import { AppError, type ContextPart, type FactQuery, type KnownFact, type SessionId } from "@capstan/protocol";
import type { FactsInStore } from "./facts-in-store.ts";
import type { FactsOptions } from "./facts-options.ts";

/** What is remembered. Its code and its store are loaded when they are first needed: most runs begin without. */
export class SessionFacts implements Facts {
  readonly #options: FactsOptions;
  #opening: Promise<FactsInStore> | undefined;
  #isClosed = false;

  constructor(options: FactsOptions) {
    this.#options = options;
  }

  /** Whether anything was remembered yet; nothing is opened to see. */
  isThere(): boolean {
    return this.#opening !== undefined || this.#options.exists();
  }

  async recall(request: RecallRequest, signal: AbortSignal): Promise<Recalled> {
    return await (await this.#open()).recall(request, signal);
  }

  async remember(fact: NewFact): Promise<KnownFact> {
    return await (await this.#open()).remember(fact);
  }

  async isRemembered(sessionId: SessionId, key: string): Promise<boolean> {
    return this.isThere() && (await (await this.#open()).isRemembered(sessionId, key));
  }

  /** What is known, after what the journals have to add. */
  async list(query: FactQuery): Promise<readonly KnownFact[]> {
    return await (await this.#open()).list(query);
  }

  /** What is known already; no journal is read. */
  async known(query: FactQuery & { readonly sessionId?: SessionId }): Promise<readonly KnownFact[]> {
    return this.isThere() ? await (await this.#open()).known(query) : [];
  }

  /** Facts whose id begins so. */
  async withId(prefix: string, limit: number): Promise<readonly KnownFact[]> {
    return this.isThere() ? await (await this.#open()).withId(prefix, limit) : [];
  }

  /** Gives a fact other words. From then on it is the user's. @returns `null`: there is none of that id */
  async change(id: string, text: string): Promise<KnownFact | null> {
    return this.isThere() ? await (await this.#open()).change(id, text) : null;
  }

  /** @returns whether there was one */
  async forget(id: string): Promise<boolean> {
    return this.isThere() && (await (await this.#open()).forget(id));
  }

  /** Nothing of a session that is deleted is found again. */
  async forgetSession(sessionId: SessionId): Promise<void> {
    if (this.isThere()) await (await this.#open()).forgetSession(sessionId);
  }

  /** What a turn is shown of what is remembered. */
  async part(turn: ContextTurn & { readonly cwd: string }, limitBytes: number): Promise<ContextPart | undefined> {
    return await (await this.#open()).part(turn, limitBytes);
  }

  /** Reads a little further in the journals of a folder; never throws. */
  async readOn(cwd: string, bounds: { readonly maxReads: number; readonly isWaitedFor?: boolean }): Promise<void> {
    try {
      await (await this.#open()).readOn(cwd, bounds);
    } catch {
      // Whoever asks for facts learns what is wrong; nobody asked yet.
    }
  }

  /** What comes later, such as work that a turn's end began, is refused: it would open, or make, the store once more, and nobody would close it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.close();
    this.#opening = undefined;
  }

  #open(): Promise<FactsInStore> {
    if (this.#isClosed) return Promise.reject(new AppError("storage.unavailable", "what is remembered is closed"));
    const opening = this.#opening ?? this.#load();
    this.#opening = opening;
    // What was wrong may be right by the next time.
    opening.catch(() => (this.#opening = undefined));
    return opening;
  }

  async #load(): Promise<FactsInStore> {
    const [{ FactsInStore: Opened }, store] = await Promise.all([import("./facts-in-store.ts"), this.#options.open()]);
    return new Opened(this.#options, store);
  }
}
