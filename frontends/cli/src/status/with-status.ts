import type { AskTerminal, OnAsk } from "../asking/on-ask.ts";
import type { Streams } from "../output.ts";
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
  close(): void;
}

/** @param streams  of a terminal that can take lines back */
export function withStatus(request: TurnRequest, streams: Streams): StatusShown {
  const { onAsk } = request;
  const asksHere = onAsk?.type === "inline";
  const status = new TurnStatus(asksHere);
  const lines = new StatusLines(streams, (nowMs, room) => status.lines(nowMs, room));
  return {
    streams: lines.streams,
    request: onAsk === undefined ? request : { ...request, onAsk: askedBelow(onAsk, lines) },
    viewWith: (view) => viewWith(view, { status, lines, asksHere }),
    close: () => lines.close(),
  };
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
      status.ended();
      lines.hide();
      view.finished(report);
    },
    behind(news) {
      if (news.type === "begun") status.worksFor(news.by);
      if (news.type === "event") status.take(news.event);
      if (news.type === "left") status.ended();
      view.behind?.(news);
      lines.changed();
    },
  };
}

/** What is asked, and what is said of an answer, takes the place of the lines. */
function askedBelow(onAsk: OnAsk, lines: StatusLines): OnAsk {
  if (onAsk.type !== "inline") return onAsk;
  const { terminal } = onAsk;
  const below: AskTerminal = {
    show(shown) {
      lines.hide();
      terminal.show(shown);
    },
    async ask(prompt, signal) {
      lines.hide();
      return await terminal.ask(prompt, signal);
    },
    async key(shown, options) {
      lines.hide();
      return await terminal.key(shown, options);
    },
    chosen(text) {
      lines.hide();
      terminal.chosen(text);
    },
    edit: (text, ending) => terminal.edit(text, ending),
  };
  return { type: "inline", terminal: below };
}
