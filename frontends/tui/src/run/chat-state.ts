import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type JournalRecord,
  type SessionTarget,
} from "@capstan/protocol";
import { type Cell, cellsFrom, type Row } from "@capstan/view";
import type { Card } from "../card/card.ts";
import { type Draft, emptyDraft, type PasteLimits } from "../draft/draft.ts";
import { emptyHistory, type History } from "../draft/history.ts";
import type { Vim } from "../draft/vim/vim.ts";
import type { Keymap } from "../keys/keymap.ts";
import { FollowedSession } from "./followed-session.ts";
import type { Surroundings, TuiOptions } from "./tui-options.ts";

/** What a chat is notified of by the session that it follows. */
export interface Following {
  readonly changed: () => void;
  readonly record: (record: JournalRecord) => void;
}

/** What a chat holds on any kind of terminal. */
export abstract class ChatState {
  readonly #options: Pick<TuiOptions, "engine" | "identity" | "surroundings" | "pasteLimits" | "keymap">;
  /** `null`: the first session is still opening. */
  protected followed: FollowedSession | null = null;
  draft: Draft = emptyDraft;
  vim: Vim | null = null;
  history: History = emptyHistory;
  card: Card | null = null;
  offers: readonly Row[] = [];
  offered: readonly string[] = [];
  offerAt = 0;
  offersAreClosed = false;
  isLeading = false;
  lastKeyAt = 0;
  quitAskedAt = 0;
  escapedAt = 0;

  constructor(options: Pick<TuiOptions, "engine" | "identity" | "surroundings" | "pasteLimits" | "keymap">) {
    this.#options = options;
  }

  abstract say(text: string): void;

  /** @throws {AppError} `internal.bug` while there is none */
  get session(): FollowedSession {
    if (this.followed === null) throw new AppError("internal.bug", "no session is open yet");
    return this.followed;
  }

  get hasSession(): boolean {
    return this.followed !== null;
  }

  cells(): Iterable<Cell> {
    return cellsFrom(this.session.transcript);
  }

  get engine(): EngineClient {
    return this.#options.engine;
  }

  get identity(): ClientIdentity {
    return this.#options.identity;
  }

  get surroundings(): Surroundings {
    return this.#options.surroundings;
  }

  get pasteLimits(): PasteLimits {
    return this.#options.pasteLimits;
  }

  get keymap(): Keymap {
    return this.#options.keymap;
  }

  /** Opens a session to drive it; the one that was open stays until the caller closes it. */
  protected async follow(target: SessionTarget, following: Following): Promise<FollowedSession> {
    return await FollowedSession.open(
      this.engine,
      target,
      { identity: this.identity, purpose: "drive", resume: "wait" },
      { ...following, closed: (reason) => this.say(`The session is closed: ${reason}`) },
    );
  }

  /** What the session that opened lacks here, and what to do about it. */
  protected sayLacks(): void {
    const { lacks } = this.session.client.recovery;
    if (lacks !== undefined) this.say(`${lacks.reason}${lacks.hint === undefined ? "" : ` ${lacks.hint}`}`);
  }
}
