import type { JsonValue, ModelFinish, ModelStreamPart } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { isTooDeep } from "../json-fields.ts";
import { compact } from "./compact.ts";
import { wellFormed } from "../well-formed.ts";

type Kind = "none" | "text" | "thinking" | "arguments";

/** Gathers the parts of one piece of network input; neighbouring deltas of one kind become one part. */
export class PartBuffer {
  private parts: ModelStreamPart[] = [];
  private kind: Kind = "none";
  private delta = "";
  private index = 0;
  private name = "";
  private unknownCount = 0;
  private chars = 0;

  /** Characters of content handed on so far. */
  get contentChars(): number {
    return this.chars;
  }

  text(delta: string): void {
    this.join("text", delta);
  }

  thinking(delta: string): void {
    this.join("thinking", delta);
  }

  toolArguments(index: number, name: string, delta: string): void {
    if (this.kind === "arguments" && (this.index !== index || this.name !== name)) this.flush();
    this.index = index;
    this.name = name;
    this.join("arguments", delta);
  }

  /** Keeps something the wire sent that we do not know, at most `limits.unknownParts` times. `raw` as received. */
  unknown(what: string, value: JsonValue, raw: string): void {
    this.unknownCount += 1;
    if (this.unknownCount > limits.unknownParts) return;
    this.flush();
    const kept = raw.length <= limits.unknownChars && !isTooDeep(value);
    this.parts.push({
      type: "unknown",
      what: wellFormed(what.slice(0, limits.toolNameChars)),
      raw: kept ? value : wellFormed(raw.slice(0, limits.unknownChars)),
    });
  }

  /** Reports to the user what was done about the answer. */
  notice(reported: { readonly code: string; readonly text: string }): void {
    this.flush();
    this.parts.push({ type: "notice", level: "info", ...reported });
  }

  /** Reports to the user why the vendor gave no answer, in its own words. */
  declined(words: string): void {
    if (words === "") return;
    this.flush();
    const text = `The vendor declined to answer: ${wellFormed(words.slice(0, limits.errorTextChars))}`;
    this.parts.push({ type: "notice", level: "warning", code: "provider.declined", text });
  }

  finish(part: ModelFinish): void {
    this.flush();
    this.parts.push(part);
  }

  /** Everything since the last call, in order. */
  take(): readonly ModelStreamPart[] {
    this.flush();
    const taken = this.parts;
    this.parts = [];
    return taken;
  }

  private join(kind: Kind, delta: string): void {
    if (delta === "") return;
    if (this.kind !== kind) this.flush();
    this.kind = kind;
    this.delta += delta;
    this.chars += delta.length;
  }

  private flush(): void {
    const { kind } = this;
    const delta = compact(this.delta);
    this.kind = "none";
    this.delta = "";
    if (kind === "text") this.parts.push({ type: "text-delta", delta });
    else if (kind === "thinking") this.parts.push({ type: "thinking-delta", delta });
    else if (kind === "arguments") {
      this.parts.push({ type: "tool-arguments-delta", index: this.index, name: this.name, delta });
    }
  }
}
