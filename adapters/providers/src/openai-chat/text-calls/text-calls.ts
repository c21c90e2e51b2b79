import type { ToolDefinition } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { HeldCall } from "./held-call.ts";
import type { OfferedCall } from "./offered-calls.ts";
import { callMarks, fence } from "./read-calls.ts";

type State =
  /** Nothing but white space so far: bare JSON may follow. */
  | { readonly type: "start" }
  | { readonly type: "text" }
  | { readonly type: "held"; readonly call: HeldCall }
  /** Whatever comes is text. */
  | { readonly type: "off" };

/**
 * Finds tool calls that a model wrote as text. Text that may still be one is held back, within `limits.heldCallChars`; what was
 * handed on as text stays text. With `auto` a call is the whole answer, or its end in a fence or mark of its own; with `on` other
 * text may follow it.
 */
export class TextCalls {
  private readonly setting: "on" | "auto";
  private readonly tools: readonly ToolDefinition[];
  private readonly hand: (text: string) => void;
  private state: State = { type: "start" };
  /** Came, and is neither handed on nor held as a call. */
  private waiting = "";
  /** Whether only white space stands before what comes next in its line. */
  private lineStart = true;

  /** @param hand  takes what is text */
  constructor(setting: "on" | "auto", tools: readonly ToolDefinition[], hand: (text: string) => void) {
    this.setting = setting;
    this.tools = tools;
    this.hand = hand;
  }

  add(piece: string): void {
    if (this.state.type === "off") return this.hand(piece);
    this.waiting += piece;
    while (this.proceed());
  }

  /** The server reads calls itself: all text is text. */
  stop(): void {
    const text = this.state.type === "held" ? this.state.call.lead + this.state.call.text : "";
    this.state = { type: "off" };
    this.handOn(text + this.waiting);
    this.waiting = "";
  }

  /** The answer is whole: its calls, or none, and then all of it has been handed on. */
  end(): readonly OfferedCall[] {
    for (let tries = 0; this.state.type === "held" && tries < limits.heldCallTries; tries += 1) {
      const { call } = this.state;
      const found = call.calls();
      if (found !== undefined) {
        this.state = { type: "off" };
        this.handOn(found.rest);
        return found.calls;
      }
      this.release(call, call.markChars);
      while (this.proceed());
    }
    this.stop();
    return [];
  }

  /** One step; false: more input is needed. */
  private proceed(): boolean {
    switch (this.state.type) {
      case "start":
        return this.start();
      case "text":
        return this.scan();
      case "held":
        return this.hold(this.state.call);
      case "off":
        return false;
    }
  }

  private start(): boolean {
    const begun = this.waiting.trimStart();
    const blank = this.waiting.length - begun.length;
    if (blank > limits.thinkLeadChars) this.state = { type: "text" };
    else if (/^[{[]/.test(begun) || this.kindAt(this.waiting, blank) === "whole") {
      // White space before a call is not worth a text of its own; it comes back if this is none.
      this.state = { type: "held", call: new HeldCall(this.setting, this.tools, this.waiting.slice(0, blank)) };
      this.waiting = begun;
    } else if (begun === "" || this.kindAt(this.waiting, blank) === "partial") return false;
    else this.state = { type: "text" };
    return true;
  }

  private scan(): boolean {
    const text = this.waiting;
    const sign = /[`<[]/g;
    for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
      const kind = this.kindAt(text, match.index);
      if (kind === "none") continue;
      this.handOn(text.slice(0, match.index));
      this.waiting = text.slice(match.index);
      if (kind === "partial") return false;
      this.state = { type: "held", call: new HeldCall(this.setting, this.tools, "") };
      return true;
    }
    this.waiting = "";
    this.handOn(text);
    return false;
  }

  private hold(call: HeldCall): boolean {
    const piece = this.waiting;
    this.waiting = "";
    if (piece === "") return false;
    const released = call.add(piece);
    if (released !== undefined) this.release(call, released);
    else if (call.text.length > limits.heldCallChars) this.stop();
    return released !== undefined;
  }

  private release(call: HeldCall, chars: number): void {
    this.state = { type: "text" };
    this.handOn(call.lead + call.text.slice(0, chars));
    this.waiting = call.text.slice(chars) + this.waiting;
  }

  private kindAt(text: string, at: number): "whole" | "partial" | "none" {
    if (text[at] === "`" && !this.isLineStart(text, at)) return "none";
    const rest = text.slice(at, at + longestMark);
    const words = text[at] === "`" ? [fence] : callMarks;
    if (words.some((word) => rest.startsWith(word))) return "whole";
    return words.some((word) => word.startsWith(rest)) ? "partial" : "none";
  }

  /** Looks back over white space only: texts may have millions of signs in one line. */
  private isLineStart(text: string, at: number): boolean {
    let start = at;
    while (start > 0 && text[start - 1] !== "\n" && /\s/.test(text[start - 1] ?? "")) start -= 1;
    return start === 0 ? this.lineStart : text[start - 1] === "\n";
  }

  private handOn(text: string): void {
    if (text === "") return;
    this.lineStart = this.isLineStart(text, text.length);
    this.hand(text);
  }
}

const longestMark = Math.max(fence.length, ...callMarks.map((mark) => mark.length));
