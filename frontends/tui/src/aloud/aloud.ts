import type { JournalRecord, SessionTarget } from "@capstan/protocol";
import { cellsFrom, inertText } from "@capstan/view";
import { draftText, emptyDraft, draftOf, isEmptyDraft } from "../draft/draft.ts";
import type { Chat } from "../run/chat.ts";
import { ChatState } from "../run/chat-state.ts";
import { cancel, send, textOf } from "../run/sending.ts";
import { Timers } from "../run/timers.ts";
import type { TuiOptions } from "../run/tui-options.ts";
import { copySequence } from "../terminal/clipboard.ts";
import type { LineTerminal } from "./line-terminal.ts";
import { showTasks } from "../commands/information.ts";
import { SpokenCards } from "./spoken-cards.ts";
import { SpokenOverlays } from "./spoken-overlays.ts";
import { SpokenTranscript } from "./spoken-transcript.ts";

/** What comes close together is said together. */
const sayMs = 50;
const quitMs = 2000;
/** Of rows that are looked through, such as a diff. */
const columns = 120;

export interface AloudOptions extends Pick<
  TuiOptions,
  | "engine"
  | "identity"
  | "target"
  | "surroundings"
  | "words"
  | "notices"
  | "pasteLimits"
  | "keymap"
  | "signal"
  | "asSent"
> {
  readonly lines: LineTerminal;
}

/** The terminal UI for a screen reader: whole lines are appended, each behind a word, and nothing that stands is touched. */
export class Aloud extends ChatState implements Chat {
  readonly #options: AloudOptions;
  readonly #sendLine: (chat: Chat, line: string) => void;
  readonly #timers = new Timers();
  readonly #cards: SpokenCards;
  readonly #begunAt = Date.now();
  #spoken: SpokenTranscript | null = null;
  /** Lines that continue: each but the last ended with a backslash. */
  #begun: readonly string[] = [];
  #leave: () => void = () => undefined;
  readonly overlays: SpokenOverlays;

  /** @param sendLine  sends what is written, or runs the command that it is */
  constructor(options: AloudOptions, sendLine: (chat: Chat, line: string) => void) {
    super(options);
    this.offersAreClosed = true;
    this.#options = options;
    this.#sendLine = sendLine;
    this.overlays = new SpokenOverlays(
      (lines) => this.#write(lines),
      () => this.paintSoon(),
    );
    this.#cards = new SpokenCards(
      this,
      (lines) => this.#write(lines),
      () => options.lines.write("\u0007"),
    );
  }

  async run(): Promise<string> {
    const { lines, target, words, signal, notices } = this.#options;
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    signal.addEventListener("abort", this.#leave, { once: true });
    const early: string[] = [];
    const stop = lines.listen({
      line: (text) => (this.followed === null ? early.push(text) : this.#line(text)),
      interrupted: () => this.#interrupted(),
      closed: () => this.#leave(),
    });
    try {
      await this.open(target);
      this.#write(notices.map((text) => `Warning: ${text}`));
      for (const text of early) this.#line(text);
      if (words.length > 0) await send(this, words);
      await left;
    } finally {
      stop();
      this.#timers.stopAll();
      this.#speak();
      await this.followed?.close();
    }
    return this.session.client.id;
  }

  get columns(): number {
    return columns;
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns, rows: columns };
  }

  get isFull(): boolean {
    return false;
  }

  say(text: string): void {
    this.#write([`Note: ${text}`]);
  }

  /** The terminal has its own memory of lines. */
  forget(): void {
    this.draftChanged();
  }

  handBack(text: string): void {
    this.draft = draftOf(text);
    this.draftChanged();
  }

  /** Words that were not carried out are held. */
  draftChanged(): void {
    if (!isEmptyDraft(this.draft))
      this.#write([`Held: ${draftText(this.draft)}`, "Enter alone sends it; other words take its place."]);
  }

  async open(target: SessionTarget): Promise<void> {
    const next = await this.follow(target, {
      changed: () => this.paintSoon(),
      record: (record) => this.#record(record),
    });
    const last = this.followed;
    this.followed = next;
    const { transcript } = next;
    const begin = [...cellsFrom(transcript)].findLastIndex(({ type }) => type === "user");
    this.#spoken = new SpokenTranscript(
      Math.max(0, begin),
      this.identity.user,
      ({ origin, at }) => origin.frontend === this.identity.frontend && at >= this.#begunAt,
    );
    this.card = null;
    if (last !== null) void last.close();
    void next.follow();
    const title = transcript.title === null ? "a new session" : transcript.title;
    this.#write([
      `Capstan: ${title}`,
      "Write and press Enter; a backslash at the end continues. /help lists commands.",
    ]);
    this.sayLacks();
    this.#speak();
  }

  toCard(): void {
    this.#cards.lead();
  }

  readonly hasAgents = false;

  toggleTasks(): void {
    showTasks(this);
  }

  toggleScreen(): void {
    this.say("There is one screen in this mode.");
  }

  scroll(): void {
    // The terminal scrolls.
  }

  focused(): void {
    // Nothing depends on it.
  }

  copy(text: string): void {
    this.#options.lines.write(copySequence(text));
  }

  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#options.lines.lend(work);
  }

  suspend(): void {
    this.say("The terminal's own Ctrl-Z stops Capstan.");
  }

  /** Soon after, all that is new is said at once. */
  paintSoon(): void {
    if (!this.#timers.isSet("say")) this.#timers.after("say", sayMs, () => this.#speak());
  }

  repaint(): void {
    // What was said stands.
  }

  quit(): void {
    this.#leave();
  }

  #line(text: string): void {
    if (text.endsWith("\\")) {
      this.#begun = [...this.#begun, text.slice(0, -1)];
      return;
    }
    const whole = [...this.#begun, text].join("\n");
    this.#begun = [];
    if (this.overlays.isAsking) this.overlays.answer(whole);
    else if (!this.#cards.take(whole)) this.#words(whole);
  }

  #words(text: string): void {
    const isHeld = text.trim() === "" && !isEmptyDraft(this.draft);
    const words = isHeld ? draftText(this.draft) : text;
    this.draft = emptyDraft;
    if (words.trim() !== "") this.#sendLine(this, words);
  }

  #interrupted(): void {
    if (this.overlays.isAsking) return this.overlays.answer("");
    if (this.#cards.interrupt()) return;
    if (this.followed !== null && this.followed.openTurn !== null) {
      this.say("Stopping.");
      return void cancel(this, "interrupted");
    }
    const now = Date.now();
    if (now - this.quitAskedAt < quitMs) return this.quit();
    this.quitAskedAt = now;
    this.say("Ctrl-C again to quit.");
  }

  #record(record: JournalRecord): void {
    if (record.type !== "turn-ended" || this.followed === null) return;
    const { transcript } = this.followed;
    const cell = [...cellsFrom(transcript, transcript.cells.length - 2)].findLast(({ type }) => type === "turn-end");
    if (cell?.type === "turn-end" && cell.rolledBack && cell.draft !== undefined) this.handBack(textOf(cell.draft));
  }

  #speak(): void {
    this.#timers.stop("say");
    if (this.followed === null || this.#spoken === null) return;
    this.#write(this.#spoken.take(this.followed.transcript));
    this.followed.forget(this.followed.transcript.settled);
    if (!this.overlays.isAsking) this.#cards.speak();
  }

  #write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = lines.flatMap((line) => inertText(line).split("\n")).join("\n");
    this.#options.lines.write(`${this.#options.asSent(text)}\n`);
  }
}
