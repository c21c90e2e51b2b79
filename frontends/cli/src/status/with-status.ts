import type { AskTerminal, OnAsk } from "../asking/on-ask.ts";
import type { HushedKeys, Streams } from "../output.ts";
import type { TurnRequest, TurnView } from "../turn/turn-request.ts";
import { StatusLines } from "./status-lines.ts";
import { TurnStatus } from "./turn-status.ts";

/** A turn on a terminal that shows what runs. */
export interface StatusShown {
  /** To print on, instead of those of the terminal. */
  readonly streams: Streams;
  readonly request: TurnRequest;
  /** @param view  what is shown of the turn besides, on `streams` */
  viewWith(view: TurnView): TurnView;
  close(): Promise<void>;
}

/** @param streams  of a terminal that can take lines back */
export function withStatus(request: TurnRequest, streams: Streams): StatusShown {
  const { onAsk } = request;
  const asksHere = onAsk?.type === "inline";
  const status = new TurnStatus(asksHere);
  const keys = new Keys(streams);
  const lines = new StatusLines(streams, (nowMs, room) => (keys.areHushed ? status.lines(nowMs, room) : []));
  void keys.hush().then(() => lines.changed());
  return {
    streams: lines.streams,
    request: onAsk === undefined ? request : { ...request, onAsk: askedBelow(onAsk, lines, keys) },
    viewWith: (view) => viewWith(view, { status, lines, asksHere }),
    async close() {
      lines.close();
      await keys.show();
    },
  };
}

/** The user's keys while lines stand there: shown, they would move the rows that are taken back. */
class Keys {
  readonly #hushed: Promise<HushedKeys | undefined>;
  #isWanted = false;
  areHushed = false;

  constructor({ hushKeys }: Streams) {
    this.#hushed = hushKeys?.() ?? Promise.resolve(undefined);
  }

  async hush(): Promise<void> {
    this.#isWanted = true;
    const keys = await this.#hushed;
    if (this.#isWanted) await keys?.begin();
    this.areHushed = this.#isWanted;
  }

  async show(): Promise<void> {
    this.#isWanted = false;
    this.areHushed = false;
    await (await this.#hushed)?.end();
  }
}

interface Shown {
  readonly status: TurnStatus;
  readonly lines: StatusLines;
  readonly asksHere: boolean;
}

function viewWith(view: TurnView, { status, lines, asksHere }: Shown): TurnView {
  return {
    opened(opened) {
      status.opened(opened.snapshot);
      view.opened(opened);
    },
    before(event) {
      status.take(event);
      view.before?.(event);
    },
    event(event) {
      status.take(event);
      // Whoever asks writes past the streams.
      if (asksHere && event.record.type === "interaction-opened") lines.hide();
      view.event(event);
      lines.changed();
    },
    owner: (owner) => view.owner?.(owner),
    answering: (ids) => view.answering?.(ids),
    waiting: (interaction) => view.waiting?.(interaction),
    finished(report) {
      lines.close();
      view.finished(report);
    },
  };
}

/** What is asked, and what is said of an answer, takes the place of the lines; keys are shown meanwhile. */
function askedBelow(onAsk: OnAsk, lines: StatusLines, keys: Keys): OnAsk {
  if (onAsk.type !== "inline") return onAsk;
  const { terminal } = onAsk;
  const withKeys = async <Given>(ask: () => Promise<Given>): Promise<Given> => {
    lines.hide();
    await keys.show();
    try {
      return await ask();
    } finally {
      void keys.hush().then(() => lines.changed());
    }
  };
  const below: AskTerminal = {
    show(shown) {
      lines.hide();
      terminal.show(shown);
    },
    ask: async (prompt, signal) => await withKeys(async () => await terminal.ask(prompt, signal)),
    key: async (shown, options) => await withKeys(async () => await terminal.key(shown, options)),
    chosen(text) {
      lines.hide();
      terminal.chosen(text);
    },
    edit: async (text, ending) => await withKeys(async () => await terminal.edit(text, ending)),
  };
  return { type: "inline", terminal: below };
}
