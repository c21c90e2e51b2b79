import type { JournalRecord, SessionTarget } from "@capstan/protocol";
import { cellsFrom, inertText, wrapRow } from "@capstan/view";
import { type Card, cardFor, mayTakeFocus, quietMs, withFocus } from "../card/card.ts";
import { type Draft, draftOf, emptyDraft, isEmptyDraft } from "../draft/draft.ts";
import { vimAtStart } from "../draft/vim/vim.ts";
import { addToHistory } from "../draft/history.ts";
import type { Input } from "../keys/input.ts";
import { copySequence } from "../terminal/clipboard.ts";
import { bell, notificationBytes, type NotificationText } from "../terminal/notification.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Chat } from "./chat.ts";
import { ChatState } from "./chat-state.ts";
import { DraftStore } from "./draft-store.ts";
import { asTypedEarly, backgroundQuery, saysBackground } from "./early-input.ts";
import type { FollowedSession } from "./followed-session.ts";
import { KeyStream } from "./key-stream.ts";
import { Overlays } from "./overlays.ts";
import { Panes } from "./panes.ts";
import { introRows, Screen } from "./screen.ts";
import { send, textOf } from "./sending.ts";
import { themeOn } from "../terminal/theme.ts";
import { StatusLine } from "./status-line.ts";
import { Timers } from "./timers.ts";
import type { TuiOptions } from "./tui-options.ts";

/** Where nothing is to move, the time is shown again this often. */
const calmMs = 10_000;
const streamingMs = 33;
const soonMs = 16;
const tickMs = 125;
const draftMs = 500;
const hintMs = 4000;
const titleCharacters = 60;
/** After a longer turn somebody has looked away. */
const longTurnMs = 10_000;

/** The one place with state: keys, records and time come in, and frames go out. */
export class Tui extends ChatState implements Chat {
  readonly #options: TuiOptions;
  readonly #screen: Screen;
  /** What was typed before there was a session, or while another one opens: it is meant for that one. */
  readonly #early: Input[] = [];
  readonly #takeOne: (chat: Chat, input: Input) => void;
  readonly #timers = new Timers();
  readonly #keys: KeyStream = new KeyStream(this.#timers, (inputs) => this.#take(inputs));
  #drafts: DraftStore | null = null;
  #hint: { readonly text: string; readonly until: number } | null = null;
  readonly #status: StatusLine;
  readonly #panes: Panes;
  #tick = 0;
  #isFocused = true;
  #leave: () => void = () => undefined;
  #isOpening = false;
  readonly overlays: Overlays;

  /** @param take  gives an input to whatever it is meant for */
  constructor(options: TuiOptions, take: (chat: Chat, input: Input) => void) {
    super(options);
    this.#takeOne = take;
    this.#options = options;
    this.vim = options.vim ? vimAtStart : null;
    this.#screen = new Screen(options.terminal, options, options.isFull);
    this.#panes = new Panes(options, () => this.#changed());
    this.#status = new StatusLine(options, this.#timers, () => this.paintSoon(0));
    this.overlays = new Overlays(options.terminal, () => this.paintSoon(0));
  }

  async run(): Promise<string> {
    const { terminal, target, words, signal, notices } = this.#options;
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    signal.addEventListener("abort", this.#leave, { once: true });
    terminal.enter();
    if (this.#options.asksBackground) terminal.write(backgroundQuery);
    // From the first byte on: nothing that is typed before the first frame is lost.
    const stop = terminal.listen({
      text: (text) => this.#keys.push(text),
      resized: () => this.#paintNow(),
      closed: () => this.#leave(),
    });
    try {
      await this.open(target);
      this.#say(notices);
      this.#take(this.#early.splice(0).map(asTypedEarly));
      if (words.length > 0) await send(this, words);
      await left;
    } finally {
      stop();
      await this.#end();
    }
    return this.session.client.id;
  }

  get columns(): number {
    return this.#options.terminal.size.columns;
  }

  get size(): Terminal["size"] {
    return this.#options.terminal.size;
  }

  get isBusy(): boolean {
    return this.followed !== null && this.followed.status(Date.now()).activity.type !== "idle";
  }

  say(text: string): void {
    this.#hint = { text: inertText(text).replaceAll("\n", " "), until: Date.now() + hintMs };
    this.#timers.after("hint", hintMs, () => {
      this.#hint = null;
      this.#paintNow();
    });
    this.paintSoon(0);
  }

  /** Words that were cleared can be had again by Up. */
  forget(draft: Draft): void {
    this.history = addToHistory(this.history, draft);
  }

  /** Words that were not carried out are written once more, unless other words are being written. */
  handBack(text: string): void {
    if (isEmptyDraft(this.draft)) this.draft = draftOf(text);
    else this.forget(draftOf(text));
    this.draftChanged();
  }

  async open(target: SessionTarget): Promise<void> {
    this.#isOpening = true;
    const isFirst = this.followed === null;
    try {
      const next = await this.follow(target, {
        changed: () => this.#changed(),
        record: (record) => this.#record(record),
      });
      const last = this.followed;
      await this.#saveDraft();
      const drafts = new DraftStore(next.client, (text) => this.say(text));
      // Read before anything of the session is painted: no frame shows it without its draft.
      const restored = await drafts.restore();
      this.followed = next;
      const intro = introRows(next.transcript.title, next.hasEarlier);
      this.#screen.begin(isFirst ? intro : [[], ...intro]);
      this.#drafts = drafts;
      // Of the session before, the draft was stored; what was typed before the first session opened stays, and the stored words can be found again.
      if (last !== null || isEmptyDraft(this.draft)) this.draft = restored ?? emptyDraft;
      else if (restored !== null) this.forget(restored);
      if (last !== null) void last.close();
      void next.follow();
      this.card = cardFor(null, next.asked, Date.now());
      this.sayLacks();
      this.#title();
    } finally {
      this.#isOpening = false;
      if (!isFirst) this.#take(this.#early.splice(0));
    }
    this.#changed();
  }

  get hasAgents(): boolean {
    return this.#panes.hasAgents;
  }

  toCard(): void {
    if (this.card !== null) this.card = { ...this.card, focus: "card", isPainted: false };
    this.paintSoon(0);
  }

  toggleTasks(): void {
    this.#panes.toggleTasks(this);
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
    this.#options.terminal.write(copySequence(text));
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
    if (!this.#timers.isSet("draft")) this.#timers.after("draft", draftMs, () => void this.#saveDraft());
    this.paintSoon(0);
  }

  /** At most one frame in this time. */
  paintSoon(ms: number = soonMs): void {
    if (ms === 0) this.#timers.after("paint", 0, () => this.#paintNow());
    else if (!this.#timers.isSet("paint")) this.#timers.after("paint", ms, () => this.#paintNow());
  }

  #take(inputs: readonly Input[]): void {
    const background = inputs.findLast(saysBackground);
    if (background?.reply.type === "background" && this.#options.asksBackground)
      this.#screen.useTheme(themeOn(background.reply));
    // Nobody sees its draft yet: what is typed is taken when there is a session to send it to.
    for (const input of inputs) {
      if (this.followed === null || this.#isOpening) this.#early.push(input);
      else this.#takeOne(this, input);
    }
    this.paintSoon(0);
  }

  #changed(): void {
    if (this.followed === null) return;
    this.card = cardFor(this.card, this.followed.asked, Date.now());
    this.#panes.update(this.followed);
    this.paintSoon(this.isBusy ? streamingMs : soonMs);
  }

  #record(record: JournalRecord): void {
    if (record.type === "interaction-opened" && (this.card?.focus !== "card" || !this.#isFocused))
      this.#call("waiting for you");
    if (record.type === "session-titled" || record.type === "turn-started") this.#title();
    if (record.type === "turn-ended" && this.followed !== null) this.#turnEnded(this.followed);
  }

  #turnEnded({ transcript }: FollowedSession): void {
    const cell = [...cellsFrom(transcript, transcript.cells.length - 2)].findLast(({ type }) => type === "turn-end");
    if (cell?.type !== "turn-end") return;
    if (cell.durationMs > longTurnMs && !this.#isFocused) this.#call("the turn has ended");
    if (cell.rolledBack && cell.draft !== undefined) this.handBack(textOf(cell.draft));
  }

  /** The bell, for somebody who looks at something else; words, for somebody who looks at another window. */
  #call(text: NotificationText): void {
    const { notification, terminal } = this.#options;
    if (notification !== null) terminal.write(this.#isFocused ? bell : notificationBytes(notification, text));
  }

  #paintNow(): void {
    this.#timers.stop("paint");
    if (this.followed === null || this.#isOpening) return;
    const now = Date.now();
    if (this.card !== null) this.card = withFocus(this.card, isEmptyDraft(this.draft), this.lastKeyAt, now);
    const isMoving = this.isBusy && this.followed.asked.length === 0 && this.#isFocused;
    this.#screen.paint(this.#shown(now, isMoving));
    this.followed.forget(this.#screen.handedOut);
    if (this.card?.focus === "card" && !this.card.isPainted) this.#seen(this.card);
    if (this.card !== null && mayTakeFocus(this.card, isEmptyDraft(this.draft), now))
      this.#timers.after("focus", quietMs, () => this.#paintNow());
    this.#paintNext(isMoving);
    this.#status.ask(this, now);
  }

  #paintNext(isMoving: boolean): void {
    // Keys and records come in between.
    if (this.#screen.isBehind) this.paintSoon(1);
    if (isMoving)
      this.#timers.after("tick", this.#options.reducedMotion ? calmMs : tickMs, () => {
        this.#tick += 1;
        this.#paintNow();
      });
  }

  #shown(now: number, isMoving: boolean): Parameters<Screen["paint"]>[0] {
    const hint = this.#hint !== null && this.#hint.until > now ? this.#hint.text : null;
    const tick = isMoving && !this.#options.reducedMotion ? this.#tick : null;
    const { session, draft, vim, card, offers } = this;
    const said = this.#status.said(this);
    const panes = this.#panes.rows(this, now);
    return { session, draft, vim, card, overlay: this.overlays.current, offers, hint, tick, said, panes, now };
  }

  /** What was typed until the card stood on the screen is read first, as words. */
  #seen(card: Card): void {
    const seen = (): void => {
      if (this.card !== card) return;
      this.card = { ...card, isPainted: true };
      this.#paintNow();
    };
    void this.#options.terminal.flushed().then(() => setImmediate(() => setImmediate(seen)));
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

  async #saveDraft(): Promise<void> {
    this.#timers.stop("draft");
    const problem = await this.#drafts?.save(this.draft);
    if (typeof problem === "string") this.say(`The draft is not stored: ${problem}`);
  }

  async #end(): Promise<void> {
    await this.#saveDraft();
    this.#timers.stopAll();
    this.overlays.close();
    this.#timers.stopAll();
    this.#panes.close();
    if (this.followed !== null) this.#screen.end(this.#shown(Date.now(), false));
    await this.#options.terminal.flushed();
    this.#options.terminal.leave();
    await this.followed?.close();
  }
}
