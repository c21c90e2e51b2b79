import { limits } from "../limits.ts";
import { partialStart } from "./partial-start.ts";

/** Where the two kinds of text go. Pieces may be empty. */
export interface AnswerSink {
  thinking(piece: string): void;
  text(piece: string): void;
}

/** The tags with which servers without a reasoning parser leave thinking in the answer's text. */
const tags = [
  // DeepSeek R1, Qwen 3, GLM, MiniMax and most others.
  { open: "<think>", close: "</think>" },
  { open: "<thinking>", close: "</thinking>" },
  // Magistral.
  { open: "[THINK]", close: "[/THINK]" },
  { open: "<seed:think>", close: "</seed:think>" },
] as const;
const closers = tags.map((tag) => tag.close);
const longestCloser = Math.max(...closers.map((close) => close.length));

type State =
  /** Nothing but white space so far, or, with `on`, no end tag yet. */
  | { readonly type: "lead" }
  | { readonly type: "thinking"; readonly closers: readonly string[]; readonly begun: boolean }
  /** White space after the end tag belongs to nothing. */
  | { readonly type: "gap" }
  | { readonly type: "text" };

/**
 * Separates thinking between tags from the answer after it, however the stream is cut. Only what begins the answer is thinking;
 * tags further on are text about tags. With `on` the opening tag may be missing: the templates of some models write it into
 * the prompt, so the start of the answer waits until its end tag has come.
 */
export class ThinkTags {
  private readonly setting: "on" | "auto";
  private readonly sink: AnswerSink;
  private state: State = { type: "lead" };
  private held = "";
  private searched = 0;

  constructor(setting: "on" | "auto", sink: AnswerSink) {
    this.setting = setting;
    this.sink = sink;
  }

  add(piece: string): void {
    switch (this.state.type) {
      case "lead":
        this.held += piece;
        return this.lead();
      case "thinking":
        return this.think(this.held + piece, this.state.closers, this.state.begun);
      case "gap":
        return this.gap(piece);
      case "text":
        return this.sink.text(piece);
    }
  }

  /** No more pieces come: an end tag that is missing is no longer waited for. */
  end(): void {
    const { held, state } = this;
    this.held = "";
    if (state.type === "thinking") this.sink.thinking(held);
    else this.sink.text(held);
    this.state = { type: "text" };
  }

  private lead(): void {
    const begun = this.held.trimStart();
    if (this.held.length - begun.length > limits.thinkLeadChars) return this.pass();
    const tag = tags.find(({ open }) => begun.startsWith(open));
    if (tag !== undefined) return this.think(begun.slice(tag.open.length), [tag.close], false);
    const waits = begun === "" || tags.some(({ open }) => open.startsWith(begun));
    if (waits) return;
    if (this.setting === "auto") return this.pass();
    const end = firstOf(this.held, closers, this.searched);
    if (end !== undefined) return this.think(begun, [end], false);
    this.searched = Math.max(0, this.held.length - longestCloser);
    // So long a start without an end tag is thinking: nobody asked for `on` where models do not think.
    if (this.held.length > limits.thinkHeldChars) this.think(begun, closers, false);
  }

  private pass(): void {
    const { held } = this;
    this.held = "";
    this.state = { type: "text" };
    this.sink.text(held);
  }

  private think(text: string, ends: readonly string[], begun: boolean): void {
    const rest = begun ? text : text.trimStart();
    const close = firstOf(rest, ends, 0);
    if (close === undefined) {
      const kept = Math.max(...ends.map((end) => partialStart(rest, end)));
      this.held = rest.slice(rest.length - kept);
      this.state = { type: "thinking", closers: ends, begun: begun || rest.length > kept };
      return this.sink.thinking(rest.slice(0, rest.length - kept));
    }
    const at = rest.indexOf(close);
    this.held = "";
    this.state = { type: "gap" };
    this.sink.thinking(rest.slice(0, at));
    this.gap(rest.slice(at + close.length));
  }

  private gap(piece: string): void {
    const text = piece.trimStart();
    if (text === "") return;
    this.state = { type: "text" };
    this.sink.text(text);
  }
}

/** The one of some words that comes first in a text. */
function firstOf(text: string, words: readonly string[], from: number): string | undefined {
  let first: { readonly word: string; readonly at: number } | undefined;
  for (const word of words) {
    const at = text.indexOf(word, from);
    if (at !== -1 && at < (first?.at ?? Number.POSITIVE_INFINITY)) first = { word, at };
  }
  return first?.word;
}
