import { deltaScope, type SessionEvent } from "@capstan/protocol";
import { charactersOf } from "./event-size.ts";
import { eventsPerSharedPage, maxSharedCharacters } from "../limits.ts";

type Page = readonly SessionEvent[];
type ReadEvents = (after: number, limit: number) => Promise<Page>;

/**
 * The journal's pages for clients that are behind. While there are several clients, what was read, redacted and written for one of
 * them is kept for the others: each page begins at a round number, so that it is the same page for all. Only pages that will stay as
 * they are, are kept: whole, and without pieces, which are pruned.
 */
export class SharedPages {
  readonly #read: ReadEvents;
  /** By the number before their first one, the one that was asked for last at the end. */
  readonly #kept = new Map<number, Page>();
  readonly #underWay = new Map<number, Promise<Page>>();
  #characters = 0;

  constructor(read: ReadEvents) {
    this.#read = read;
  }

  /** Characters that are kept, about. */
  get heldCharacters(): number {
    return this.#characters;
  }

  /**
   * Kept events after `after`, oldest first, about `limit` of them.
   * @param isShared  whether there are others who may want the same
   */
  async read(after: number, limit: number, isShared: boolean): Promise<Page> {
    if (!isShared) return await this.#read(after, limit);
    const start = after - (after % eventsPerSharedPage);
    const following = (this.#again(start) ?? (await this.#load(start))).filter(({ seq }) => seq > after);
    return following.length > 0 ? following : await this.#read(after, limit);
  }

  /** Nobody is left who would want them. */
  forget(): void {
    this.#kept.clear();
    this.#characters = 0;
  }

  #again(start: number): Page | undefined {
    const page = this.#kept.get(start);
    if (page === undefined) return undefined;
    this.#kept.delete(start);
    this.#kept.set(start, page);
    return page;
  }

  async #load(start: number): Promise<Page> {
    const others = this.#underWay.get(start);
    if (others !== undefined) return await others;
    const reading = this.#read(start, eventsPerSharedPage);
    this.#underWay.set(start, reading);
    try {
      const page = await reading;
      if (staysAsItIs(page, start)) this.#keep(start, page);
      return page;
    } finally {
      this.#underWay.delete(start);
    }
  }

  #keep(start: number, page: Page): void {
    this.#kept.set(start, page);
    this.#characters += sizeOf(page);
    for (const [oldest, events] of this.#kept) {
      if (this.#characters <= maxSharedCharacters) return;
      this.#kept.delete(oldest);
      this.#characters -= sizeOf(events);
    }
  }
}

function staysAsItIs(page: Page, start: number): boolean {
  const last = page.at(-1);
  if (last === undefined || last.seq < start + eventsPerSharedPage) return false;
  return page.every(({ record }) => deltaScope(record) === undefined);
}

function sizeOf(page: Page): number {
  return page.reduce((sum, event) => sum + charactersOf(event), 0);
}
