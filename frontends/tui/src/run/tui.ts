import {
  AppError,
  type CancelReason,
  type ClientIdentity,
  type EngineClient,
  type InteractionAnswer,
  type JournalRecord,
  messageOf,
  type Receipt,
  type SessionTarget,
  type Submission,
  type UserContent,
} from "@capstan/protocol";
import { type Cell, cellsFrom, inertText, type Row, rowOf, statusOf, wrapRow } from "@capstan/view";
import { type Card, cardFor, quietMs, withFocus } from "../card/card.ts";
import { type Draft, draftOf, emptyDraft, isEmptyDraft } from "../draft/draft.ts";
import { emptyHistory, type History, withEntry } from "../draft/history.ts";
import { draftOfStored, storedDraft } from "../draft/stored-draft.ts";
import type { Input } from "../keys/input.ts";
import { flushKeys, isWaiting, noKeys, readKeys } from "../keys/read-keys.ts";
import { atEnd, newPager } from "../overlay/pager.ts";
import { newPicker, type PickerEntry } from "../overlay/picker.ts";
import type { WriterOptions } from "../terminal/inline-writer.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Chat, Surroundings } from "./chat.ts";
import { FollowedSession } from "./followed-session.ts";
import { takeInput } from "./take-input.ts";
import { introRows, type Overlay, Screen } from "./screen.ts";

export interface TuiOptions extends WriterOptions {
  readonly engine: EngineClient;
  readonly terminal: Terminal;
  readonly identity: ClientIdentity;
  readonly target: SessionTarget;
  readonly surroundings: Surroundings;
  readonly isFull: boolean;
  /** Sent at once. */
  readonly words: readonly UserContent[];
  /** Lines above everything else: warnings of the settings, and what the folder brings along. */
  readonly notices: readonly string[];
  /** Nothing moves but what is new. */
  readonly reducedMotion: boolean;
  /** Stops the process as `Ctrl-Z` does. */
  readonly suspend: () => void;
  /** Ends it from outside. */
  readonly signal: AbortSignal;
}

const streamingMs = 33;
const soonMs = 16;
const tickMs = 125;
const escapeMs = 25;
const draftMs = 500;
const hintMs = 4000;
const titleCharacters = 60;

/** Runs the terminal UI until the user leaves it. @returns the session that was open last */
export async function runTui(options: TuiOptions): Promise<string> {
  const tui = new Tui(options);
  return await tui.run();
}

/** The one place with state: keys, records and time come in, and frames go out. */
export class Tui implements Chat {
  readonly #options: TuiOptions;
  readonly #screen: Screen;
  #session: FollowedSession | null = null;
  #keys = noKeys;
  #timers = new Map<string, NodeJS.Timeout>();
  #hint: { readonly text: string; readonly until: number } | null = null;
  #tick = 0;
  #isFocused = true;
  #choose: ((value: unknown) => void) | null = null;
  #leave: () => void = () => undefined;
  #savedDraft: string | null = null;
  #isOpening = false;
  draft: Draft = emptyDraft;
  history: History = emptyHistory;
  card: Card | null = null;
  overlay: Overlay | null = null;
  /** What the word under the caret may become: as rows, and as texts; the one that Tab puts in; put away by Esc. */
  offers: readonly Row[] = [];
  offered: readonly string[] = [];
  offerAt = 0;
  offersAreClosed = false;
  lastKeyAt = 0;
  quitAskedAt = 0;
  escapedAt = 0;

  constructor(options: TuiOptions) {
    this.#options = options;
    this.#screen = new Screen(options.terminal, options, options.isFull);
  }

  async run(): Promise<string> {
    const { terminal, target, words, signal, notices } = this.#options;
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    signal.addEventListener("abort", this.#leave, { once: true });
    terminal.enter();
    // From the first byte on: what is typed before the first frame is the draft's.
    const stop = terminal.listen({
      text: (text) => this.#typed(text),
      resized: () => this.#paintNow(),
      closed: () => this.#leave(),
    });
    try {
      await this.open(target);
      this.#say(notices);
      if (words.length > 0) await this.send(words);
      await left;
    } finally {
      stop();
      await this.#end();
    }
    return this.session.client.id;
  }

  get session(): FollowedSession {
    if (this.#session === null) throw new AppError("internal.bug", "no session is open yet");
    return this.#session;
  }

  get hasSession(): boolean {
    return this.#session !== null;
  }

  /** Those that are shown, oldest first. */
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

  get columns(): number {
    return this.#options.terminal.size.columns;
  }

  get size(): Terminal["size"] {
    return this.#options.terminal.size;
  }

  get isBusy(): boolean {
    return this.#session !== null && statusOf(this.#session.transcript, Date.now()).activity.type !== "idle";
  }

  say(text: string): void {
    this.#hint = { text: inertText(text).replaceAll("\n", " "), until: Date.now() + hintMs };
    this.#after("hint", hintMs, () => {
      this.#hint = null;
      this.#paintNow();
    });
    this.paintSoon(0);
  }

  show(
    title: string,
    rows: readonly Row[],
    { marks = [], atEnd: isAtEnd = false }: { readonly marks?: readonly number[]; readonly atEnd?: boolean } = {},
  ): void {
    const pager = newPager(title, rows, marks);
    this.overlay = { type: "pager", pager: isAtEnd ? atEnd(pager, this.size) : pager };
    this.paintSoon(0);
  }

  async pick<Value>(title: string, entries: readonly PickerEntry<Value>[], at = 0): Promise<Value | null> {
    this.#choose?.(null);
    return await new Promise<Value | null>((resolve) => {
      // Only what the entries hold is ever given back.
      this.#choose = (value) => resolve(entries.find((entry) => entry.value === value)?.value ?? null);
      this.overlay = { type: "picker", picker: newPicker<unknown>(title, entries, at) };
      this.paintSoon(0);
    });
  }

  /** Closes what lies over the chat, with what was chosen there. */
  closeOverlay(value: unknown = null): void {
    const choose = this.#choose;
    this.#choose = null;
    this.overlay = null;
    choose?.(value);
    this.paintSoon(0);
  }

  async submit(submission: Submission): Promise<Receipt> {
    try {
      const receipt = await this.session.client.submit(submission);
      if (receipt.type === "refused")
        this.say(`${receipt.reason}${receipt.hint === undefined ? "" : ` ${receipt.hint}`}`);
      return receipt;
    } catch (error) {
      this.say(messageOf(error));
      return { type: "refused", code: "session.closed", reason: messageOf(error) };
    }
  }

  async answer(id: string, answer: InteractionAnswer): Promise<void> {
    const interaction = this.session.pending.find((pending) => pending.id === id);
    if (interaction !== undefined) await this.submit({ type: "answer", interactionId: interaction.id, answer });
  }

  async send(content: readonly UserContent[], delivery: "queue" | "steer" = "queue"): Promise<void> {
    const before = this.draft;
    const receipt = await this.submit({ type: "user-input", turnId: this.engine.newTurnId(), content, delivery });
    if (receipt.type === "accepted") return;
    // Words that were refused are a draft again; what was typed since stays.
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    this.draft = isEmptyDraft(before) ? draftOf(text) : this.draft;
    this.draftChanged();
  }

  /** Stops the turn; what waited in line comes back as a draft. */
  async cancel(reason: CancelReason): Promise<void> {
    const { openTurn, transcript } = this.session;
    if (openTurn === null) return;
    const queued = transcript.queued.map(({ words }) =>
      words.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
    );
    const receipt = await this.submit({ type: "cancel", reason, turnId: openTurn, queued: "hand-back" });
    if (receipt.type === "accepted" && queued.length > 0) this.handBack(queued.join("\n"));
  }

  /** Words that were cleared can be had again by Up. */
  forget(text: string): void {
    this.history = withEntry(this.history, text);
  }

  /** Words that were not carried out are written once more, unless other words are being written. */
  handBack(text: string): void {
    if (isEmptyDraft(this.draft)) this.draft = draftOf(text);
    else this.history = withEntry(this.history, text);
    this.draftChanged();
  }

  async open(target: SessionTarget): Promise<void> {
    this.#isOpening = true;
    try {
      const next = await FollowedSession.open(
        this.engine,
        target,
        { identity: this.identity, purpose: "drive", resume: "wait" },
        {
          changed: () => this.#changed(),
          record: (record) => this.#record(record),
          closed: (reason) => this.say(`The session is closed: ${reason}`),
        },
      );
      const last = this.#session;
      await this.#saveDraft();
      this.#session = next;
      this.#screen.begin(introRows(next.transcript.title, next.hasEarlier));
      await this.#restoreDraft(next);
      if (last !== null) void last.close();
      void next.follow();
      this.card = cardFor(null, next.pending, Date.now());
      if (next.client.recovery.waits)
        this.say("An earlier process left work open: /resume carries it on, /discard ends it.");
      this.#title();
    } finally {
      this.#isOpening = false;
    }
    this.#changed();
  }

  toggleScreen(): void {
    this.#screen.toggle();
    this.paintSoon(0);
  }

  scroll(by: number): void {
    this.#screen.scroll(by);
  }

  get isFull(): boolean {
    return this.#screen.isFull;
  }

  copy(text: string): void {
    this.#options.terminal.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
  }

  quit(): void {
    this.#leave();
  }

  suspend(): void {
    this.#screen.pause();
    this.#options.terminal.leave();
    this.#options.suspend();
    this.#options.terminal.enter();
    this.repaint();
  }

  /** The terminal is another program's meanwhile. */
  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#screen.pause();
    this.#options.terminal.leave();
    try {
      return await work();
    } finally {
      this.#options.terminal.enter();
      this.repaint();
    }
  }

  repaint(): void {
    this.#screen.repaint();
    this.paintSoon(0);
  }

  focused(isFocused: boolean): void {
    this.#isFocused = isFocused;
    this.paintSoon(0);
  }

  /** Is stored within a second. */
  draftChanged(): void {
    if (!this.#timers.has("draft")) this.#after("draft", draftMs, () => void this.#saveDraft());
    this.paintSoon(0);
  }

  /** At most one frame in this time. */
  paintSoon(ms: number = soonMs): void {
    if (ms === 0) this.#after("paint", 0, () => this.#paintNow());
    else if (!this.#timers.has("paint")) this.#after("paint", ms, () => this.#paintNow());
  }

  #typed(text: string): void {
    const read = readKeys(this.#keys, text);
    this.#keys = read.state;
    this.#take(read.inputs);
    this.#stop("escape");
    if (isWaiting(this.#keys))
      this.#after("escape", escapeMs, () => {
        const flushed = flushKeys(this.#keys);
        this.#keys = flushed.state;
        this.#take(flushed.inputs);
      });
  }

  #take(inputs: readonly Input[]): void {
    for (const input of inputs) takeInput(this, input);
    if (inputs.length > 0) this.paintSoon(0);
  }

  #changed(): void {
    if (this.#session === null) return;
    this.card = cardFor(this.card, this.#session.pending, Date.now());
    this.paintSoon(this.isBusy ? streamingMs : soonMs);
  }

  #record(record: JournalRecord): void {
    if (record.type === "interaction-opened" && this.card?.focus !== "card") this.#options.terminal.write("\u0007");
    if (record.type === "session-titled" || record.type === "turn-started") this.#title();
    if (record.type !== "turn-ended" || this.#session === null) return;
    const { transcript } = this.#session;
    const cell = [...cellsFrom(transcript, transcript.cells.length - 2)].findLast(({ type }) => type === "turn-end");
    if (cell?.type !== "turn-end" || !cell.rolledBack || cell.draft === undefined) return;
    this.handBack(cell.draft.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"));
  }

  #paintNow(): void {
    this.#stop("paint");
    if (this.#session === null || this.#isOpening) return;
    const now = Date.now();
    if (this.card !== null) this.card = withFocus(this.card, isEmptyDraft(this.draft), this.lastKeyAt, now);
    const isMoving = this.isBusy && this.#session.pending.length === 0 && this.#isFocused;
    this.#screen.paint(this.#shown(now, isMoving));
    if (this.card?.focus === "card" && !this.card.isPainted) this.#seen(this.card);
    if (this.card?.focus === "draft" && isEmptyDraft(this.draft) && this.card.openedAt <= now)
      this.#after("focus", quietMs, () => this.#paintNow());
    if (isMoving)
      this.#after("tick", this.#options.reducedMotion ? 1000 : tickMs, () => {
        this.#tick += 1;
        this.#paintNow();
      });
  }

  #shown(now: number, isMoving: boolean): Parameters<Screen["paint"]>[0] {
    const hint = this.#hint !== null && this.#hint.until > now ? this.#hint.text : null;
    const tick = isMoving && !this.#options.reducedMotion ? this.#tick : null;
    const { draft, card, overlay, offers } = this;
    return { session: this.session, draft, card, overlay, offers, hint, tick, now };
  }

  /** What was typed until the card stood on the screen is read first, as words. */
  #seen(card: Card): void {
    void this.#options.terminal.flushed().then(() => {
      setImmediate(() =>
        setImmediate(() => {
          if (this.card === card) this.card = { ...card, isPainted: true };
        }),
      );
    });
  }

  #say(notices: readonly string[]): void {
    if (notices.length === 0) return;
    const rows = notices.flatMap((text) => wrapRow([{ text: inertText(text), roles: ["warning"] }], this.columns));
    this.#screen.begin([...introRows(this.session.transcript.title, this.session.hasEarlier), ...rows]);
    this.paintSoon(0);
  }

  #title(): void {
    const title = this.session.transcript.title ?? "";
    const shown = inertText(title).replaceAll("\n", " ").slice(0, titleCharacters);
    this.#options.terminal.write(`\u001b]2;capstan${shown === "" ? "" : ` · ${shown}`}\u0007`);
  }

  async #restoreDraft({ client }: FollowedSession): Promise<void> {
    const stored = await client.draft().catch(() => null);
    this.#savedDraft = stored?.text ?? null;
    if (stored !== null && isEmptyDraft(this.draft)) this.draft = draftOfStored(stored.text);
  }

  async #saveDraft(): Promise<void> {
    this.#stop("draft");
    const text = storedDraft(this.draft);
    if (this.#session === null || text === this.#savedDraft) return;
    this.#savedDraft = text;
    await this.#session.client
      .saveDraft(text)
      .catch((error: unknown) => this.say(`The draft is not stored: ${messageOf(error)}`));
  }

  async #end(): Promise<void> {
    await this.#saveDraft();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.overlay = null;
    if (this.#session !== null) this.#screen.end(this.#shown(Date.now(), false));
    await this.#options.terminal.flushed();
    this.#options.terminal.leave();
    await this.#session?.close();
  }

  #after(name: string, ms: number, act: () => void): void {
    this.#stop(name);
    this.#timers.set(
      name,
      setTimeout(() => {
        this.#timers.delete(name);
        act();
      }, ms),
    );
  }

  #stop(name: string): void {
    const timer = this.#timers.get(name);
    if (timer !== undefined) clearTimeout(timer);
    this.#timers.delete(name);
  }
}
