import type { ClientIdentity } from "@capstan/protocol";
import { type Row, rowOf } from "@capstan/view";
import type { Card } from "../card/card.ts";
import { bottomFrame } from "../chat/chat-screen.ts";
import type { SaidBeside } from "../chat/status-row.ts";
import { FinishedRows } from "../chat/finished-rows.ts";
import type { CellView } from "../cells/cell-view.ts";
import type { Draft } from "../draft/draft.ts";
import { selectedRange, type Vim } from "../draft/vim/vim.ts";
import { pagerFrame } from "../overlay/pager.ts";
import { pickerFrame } from "../overlay/picker.ts";
import type { Frame, Size } from "../terminal/frame.ts";
import { FullWriter } from "../terminal/full-writer.ts";
import { InlineWriter, type WriterOptions } from "../terminal/inline-writer.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { FollowedSession } from "./followed-session.ts";
import type { Overlay } from "./overlays.ts";

/** Of an answer that comes faster than it can be read, so much is shown with a frame: a key never waits for more. */
const charactersOfFrame = 16 * 1024;

/** What a frame shows of a session. */
export interface ShownSession extends Pick<FollowedSession, "transcript" | "asked" | "status"> {
  readonly client: { readonly identity: Pick<ClientIdentity, "user"> };
}

/** All that a frame is made of. */
export interface Shown {
  readonly session: ShownSession;
  readonly draft: Draft;
  readonly vim: Vim | null;
  readonly card: Card | null;
  readonly overlay: Overlay | null;
  readonly offers: readonly Row[];
  readonly hint: string | null;
  readonly tick: number | null;
  readonly said: SaidBeside;
  /** What stands beside the work: tasks, and agents. */
  readonly panes: readonly Row[];
  /** ms since 1970. */
  readonly now: number;
}

/** Paints what is shown, inline or on the full screen, and switches between them without losing a row. */
export class Screen {
  readonly #terminal: Terminal;
  /** The writers look at it for each row. */
  readonly #options: { theme: WriterOptions["theme"]; readonly asSent: WriterOptions["asSent"] };
  #inline: InlineWriter;
  #full: FullWriter;
  /** What the terminal's own scrollback has. */
  #finished = new FinishedRows();
  /** Of the full screen: every finished row, at its width. */
  #body: { readonly finished: FinishedRows; readonly rows: Row[]; readonly columns: number } | null = null;
  #isFull = false;
  /** Rows above the end of the transcript; 0: the end is shown. */
  #scrolled = 0;

  constructor(terminal: Terminal, options: WriterOptions, isFull: boolean) {
    this.#terminal = terminal;
    this.#options = { theme: options.theme, asSent: options.asSent };
    this.#inline = new InlineWriter(this.#options);
    this.#full = new FullWriter(this.#options);
    this.#isFull = isFull;
    terminal.fullScreen(isFull);
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** For all that is painted from here on, and for the frame as it stands. */
  useTheme(theme: WriterOptions["theme"]): void {
    this.#options.theme = theme;
  }

  toggle(): void {
    this.#isFull = !this.#isFull;
    this.#scrolled = 0;
    // Made again from the cells that are held then.
    this.#body = null;
    this.#full = new FullWriter(this.#options);
  }

  /** Rows that are written once, above all that follows. */
  begin(rows: readonly Row[]): void {
    this.#finished = new FinishedRows();
    this.#body = null;
    this.#scrolled = 0;
    this.#intro = rows;
  }

  #intro: readonly Row[] = [];

  scroll(by: number): void {
    this.#scrolled = Math.max(0, this.#scrolled + by);
  }

  /** Everything is sent again. */
  repaint(): void {
    this.#full = new FullWriter(this.#options);
    if (!this.#isAlternate(null)) this.#terminal.write(this.#inline.clear());
  }

  /** So many cells from the first on stand in the terminal's own scrollback. */
  get handedOut(): number {
    return this.#finished.at;
  }

  /** The last frame had not all of what there is to show. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  #isBehind = false;

  paint(shown: Shown): void {
    const { size } = this.#terminal;
    const isAlternate = this.#isAlternate(shown.overlay);
    this.#switch(isAlternate);
    this.#terminal.write(
      isAlternate ? this.#full.paint(this.#fullFrame(shown, size), size) : this.#inlineBytes(shown, size),
    );
  }

  /** The frame is taken off, and what the scrollback does not have yet is written. */
  end(shown: Shown): void {
    this.#switch(false);
    const { size } = this.#terminal;
    const view = viewOf(shown, size);
    const rest = [
      ...this.#finish(shown, view, Number.POSITIVE_INFINITY),
      ...this.#finished.open(shown.session.transcript, view),
    ];
    this.#terminal.write(this.#inline.paint(rest, { rows: [], caret: null }, size) + this.#inline.clear());
  }

  /** For another program that writes to the terminal meanwhile. */
  pause(): void {
    this.#switch(false);
    this.#terminal.write(this.#inline.clear());
  }

  #alternate = false;

  #isAlternate(overlay: Overlay | null): boolean {
    return this.#isFull || overlay?.type === "pager";
  }

  #switch(isAlternate: boolean): void {
    if (isAlternate === this.#alternate) return;
    this.#alternate = isAlternate;
    this.#full = new FullWriter(this.#options);
    this.#terminal.fullScreen(isAlternate);
  }

  #finish({ session }: Shown, view: CellView, characters: number): readonly Row[] {
    const intro = this.#intro;
    this.#intro = [];
    const rows = this.#finished.take(session.transcript, view, characters);
    this.#isBehind = this.#finished.isBehind;
    return [...intro, ...rows];
  }

  #inlineBytes(shown: Shown, size: Size): string {
    const view = viewOf(shown, size);
    const finished = this.#finish(shown, view, charactersOfFrame);
    const bottom = bottomOf(shown, size);
    const room = Math.max(0, size.rows - bottom.rows.length);
    const open = room === 0 ? [] : this.#finished.open(shown.session.transcript, view).slice(-room);
    const rows = [...open, ...bottom.rows];
    const { caret } = bottom;
    return this.#inline.paint(
      finished,
      { rows, caret: caret === null ? null : { ...caret, row: caret.row + open.length } },
      size,
    );
  }

  #fullFrame(shown: Shown, size: Size): Frame {
    this.#isBehind = false;
    if (shown.overlay?.type === "pager") return pagerFrame(shown.overlay.pager, size);
    const view = viewOf(shown, size);
    const { transcript } = shown.session;
    const isNew = this.#body?.columns !== size.columns;
    this.#body =
      this.#body === null || isNew ? { finished: new FinishedRows(), rows: [], columns: size.columns } : this.#body;
    const body = this.#body;
    const limit = isNew ? Number.POSITIVE_INFINITY : charactersOfFrame;
    for (const row of body.finished.take(transcript, view, limit)) body.rows.push(row);
    this.#isBehind = body.finished.isBehind;
    const bottom = bottomOf(shown, size);
    const room = Math.max(0, size.rows - bottom.rows.length);
    const open = body.finished.open(transcript, view);
    const count = body.rows.length + open.length;
    this.#scrolled = Math.min(this.#scrolled, Math.max(0, count - room));
    const end = count - this.#scrolled;
    const above = [
      ...body.rows.slice(Math.max(0, end - room), end),
      ...open.slice(Math.max(0, end - room - body.rows.length), Math.max(0, end - body.rows.length)),
    ];
    const padding = Array.from({ length: Math.max(0, room - above.length) }, (): Row => []);
    const { caret } = bottom;
    return {
      rows: [...padding, ...above, ...bottom.rows],
      caret: caret === null ? null : { ...caret, row: caret.row + room },
    };
  }
}

function viewOf({ session, now }: Shown, { columns }: Size): CellView {
  return { columns, now, user: session.client.identity.user, isWhole: false };
}

/** The chat's bottom, or what lies over it. */
function bottomOf({ session, overlay, vim, ...shown }: Shown, size: Size): Frame {
  if (overlay?.type === "picker") return pickerFrame(overlay.picker, size);
  const { transcript, asked: pending } = session;
  const status = session.status(shown.now);
  const editing = vim === null ? "" : modeNames[vim.mode];
  const selection = vim === null ? null : selectedRange({ vim, draft: shown.draft });
  return bottomFrame({ ...shown, pending, queued: transcript.queued, status, editing, selection }, size);
}

const modeNames = { normal: "NORMAL", insert: "INSERT", visual: "VISUAL", "visual-line": "V-LINE" } as const;

/** What stands above a session's first row. */
export function introRows(title: string | null, hasEarlier: boolean): readonly Row[] {
  return [
    [...rowOf("Capstan", "strong"), ...rowOf(" · /help shows keys and commands", "muted")],
    ...(title === null ? [] : [rowOf(title, "strong")]),
    ...(hasEarlier ? [rowOf("… what was said before is in the transcript: Ctrl-O", "muted")] : []),
  ];
}
