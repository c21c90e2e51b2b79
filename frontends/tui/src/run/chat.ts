import type { ClientIdentity, EngineClient, SessionTarget } from "@capstan/protocol";
import type { Cell, Row } from "@capstan/view";
import type { Card } from "../card/card.ts";
import type { Draft, PasteLimits } from "../draft/draft.ts";
import type { Vim } from "../draft/vim/vim.ts";
import type { History } from "../draft/history.ts";
import type { Keymap } from "../keys/keymap.ts";
import type { Size } from "../terminal/frame.ts";
import type { FollowedSession } from "./followed-session.ts";
import type { Overlays } from "./overlays.ts";
import type { Surroundings } from "./tui-options.ts";

/** What keys and commands see of the terminal UI, and do with it. */
export interface Chat {
  readonly engine: EngineClient;
  readonly identity: ClientIdentity;
  readonly surroundings: Surroundings;
  readonly pasteLimits: PasteLimits;
  readonly keymap: Keymap;
  /** The first session may still be opening. */
  readonly hasSession: boolean;
  /** @throws AppError while there is none */
  readonly session: FollowedSession;
  readonly overlays: ChatOverlays;
  readonly size: Size;
  readonly columns: number;
  readonly isFull: boolean;
  draft: Draft;
  /** `null`: the draft is edited without modes. */
  vim: Vim | null;
  history: History;
  card: Card | null;
  /** What the word under the caret may become: as rows, and as texts; the one that Tab puts in; put away by Esc. */
  offers: readonly Row[];
  offered: readonly string[];
  offerAt: number;
  offersAreClosed: boolean;
  /** Ctrl-X was pressed: the next key is a letter of its list. */
  isLeading: boolean;
  /** ms since 1970, as for the next two. */
  lastKeyAt: number;
  quitAskedAt: number;
  escapedAt: number;
  /** Those that are shown, oldest first. */
  cells(): Iterable<Cell>;
  /** For a moment, above the draft. */
  say(text: string): void;
  /** It is stored within a second. */
  draftChanged(): void;
  /** Words that were cleared can be had again by Up. */
  forget(draft: Draft): void;
  /** Words that were not carried out are written once more, unless other words are being written. */
  handBack(text: string): void;
  /** Leaves this session as it is and opens another. */
  open(target: SessionTarget): Promise<void>;
  /** Rows of the full screen, upwards. */
  scroll(by: number): void;
  /** Leads to what waits. */
  toCard(): void;
  /** An agent works for the session. */
  readonly hasAgents: boolean;
  /** Shows the task list beside the work, or hides it. */
  toggleTasks(): void;
  toggleScreen(): void;
  focused(isFocused: boolean): void;
  /** To the terminal's clipboard. */
  copy(text: string): void;
  /** The terminal is another program's meanwhile. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>;
  suspend(): void;
  /** At most one frame in this time; 0: as soon as this work is done. */
  paintSoon(ms?: number): void;
  repaint(): void;
  quit(): void;
}

/** Lists to choose from and rows to look through, on a screen or as lines. */
export type ChatOverlays = Pick<Overlays, "current" | "replace" | "show" | "pick" | "act" | "write" | "close">;

/** The folder that the session works in; a new one begins in the folder that was started in. */
export function cwdOf({ session, surroundings }: Pick<Chat, "session" | "surroundings">): string {
  return session.transcript.session?.workspace.cwd ?? surroundings.cwd;
}
