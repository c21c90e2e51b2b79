import type { ToolDefinition } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { compact } from "../../shared/stream/compact.ts";
import { judgeHead } from "./call-head.ts";
import { JsonExtent } from "./json-calls.ts";
import { offeredCalls, type OfferedCall } from "./offered-calls.ts";
import { fence, readCalls, readFirstCalls } from "./read-calls.ts";

type Phase =
  | { readonly type: "head" }
  /** Inside a JSON value, or inside a fence; `tail`: where its end may have begun. */
  | { readonly type: "json"; readonly extent: JsonExtent }
  | { readonly type: "fence"; readonly tail: string }
  /** What began has ended at `end`: what follows decides. */
  | { readonly type: "after"; readonly end: number }
  /** Only the end of the answer can decide. */
  | { readonly type: "sure" };

const fenceEnd = `\n${fence}`;

/** Text from a mark, a fence or bare JSON on: a call, as far as can be seen. */
export class HeldCall {
  text = "";
  /** White space that stood before it. */
  readonly lead: string;
  private readonly setting: "on" | "auto";
  private readonly tools: readonly ToolDefinition[];
  private phase: Phase = { type: "head" };
  private looseChars = 0;

  constructor(setting: "on" | "auto", tools: readonly ToolDefinition[], lead: string) {
    this.setting = setting;
    this.tools = tools;
    this.lead = lead;
  }

  /** @returns how much of the text is no call after all; `undefined`: it still may be one */
  add(piece: string): number | undefined {
    this.text += piece;
    this.looseChars += piece.length;
    if (this.looseChars > limits.looseChars) {
      this.text = compact(this.text);
      this.looseChars = 0;
    }
    const { phase } = this;
    switch (phase.type) {
      case "head":
        return this.head();
      case "json":
        return this.json(phase.extent, phase.extent.add(piece));
      case "fence":
        return this.fence(phase.tail + piece);
      case "after":
        return this.after(phase.end, piece);
      case "sure":
        return undefined;
    }
  }

  /** The answer has ended: the calls, and the text after them. */
  calls(): { readonly calls: readonly OfferedCall[]; readonly rest: string } | undefined {
    const whole = readCalls(this.text);
    const first = whole === undefined && this.setting === "on" ? readFirstCalls(this.text) : undefined;
    const calls = offeredCalls(whole ?? first?.calls ?? [], this.tools);
    return calls && { calls, rest: first === undefined ? "" : this.text.slice(first.end) };
  }

  /** How far to continue when the beginning is no call: past its mark, so that the same one is not found again. */
  get markChars(): number {
    return this.text.startsWith(fence) ? fence.length : 1;
  }

  private head(): number | undefined {
    const verdict = judgeHead(this.text.slice(0, limits.callHeadChars));
    if (verdict === "unknown" && this.text.length < limits.callHeadChars) return undefined;
    if (verdict !== "may-be") return this.markChars;
    if (this.text.startsWith(fence)) return this.fence(this.text.slice(this.text.indexOf("\n")));
    if (!/^[{[]/.test(this.text) || this.text.startsWith("[TOOL_CALLS]")) return this.settle();
    return this.json(new JsonExtent(), undefined);
  }

  private json(extent: JsonExtent, found: number | undefined): number | undefined {
    const fresh = this.phase.type !== "json";
    const end = fresh ? extent.add(this.text) : found;
    this.phase = { type: "json", extent };
    return end === undefined ? undefined : this.after(end, this.text.slice(end));
  }

  /** @param last  the end of the text: to look through all of it for every piece would be slow */
  private fence(last: string): number | undefined {
    const at = last.indexOf(fenceEnd);
    this.phase = { type: "fence", tail: last.slice(1 - fenceEnd.length) };
    if (at === -1) return undefined;
    const end = this.text.length - last.length + at + fenceEnd.length;
    return this.after(end, this.text.slice(end));
  }

  /** @param rest  what came since, as far as it was not looked at before */
  private after(end: number, rest: string): number | undefined {
    this.phase = { type: "after", end };
    const [next] = rest.replace(/^[;,\s]+/, "");
    if (next === undefined) return undefined;
    if (/[{[<`]/.test(next)) return this.settle();
    if (this.setting === "on" && this.calls() !== undefined) return this.settle();
    return this.text.startsWith(fence) ? end : this.markChars;
  }

  private settle(): undefined {
    this.phase = { type: "sure" };
    return undefined;
  }
}
