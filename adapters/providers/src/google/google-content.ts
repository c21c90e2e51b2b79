import type { AssistantBlock, JsonObject } from "@capstan/protocol";
import { isTooDeep, listOf, objectOf, textOf } from "../shared/json-fields.ts";
import { DeltaText } from "../shared/stream/delta-text.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom, nameCalls } from "../shared/stream/tool-calls.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { GoogleCall } from "./google-call.ts";

/** Text or thought that may still grow; one with a signature is complete. */
interface Run {
  readonly type: "text" | "thinking";
  readonly text: DeltaText;
  readonly signature: string;
}

type Entry = Run | GoogleCall | { readonly type: "item"; readonly item: JsonObject };

/** Kinds of parts the vendor takes back as they are. */
const itemKinds: readonly string[] = [
  "inlineData",
  "fileData",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
  "functionResponse",
];

/**
 * Puts the parts of one answer together. Pieces of text join, but a part that carries a thought signature stays a block of
 * its own: the signature belongs to exactly that part, and goes back on it.
 */
export class GoogleContent {
  private readonly parts: PartBuffer;
  private readonly entries: Entry[] = [];
  private readonly calls: GoogleCall[] = [];
  private readonly citations: Map<string, JsonObject> = new Map();

  constructor(parts: PartBuffer) {
    this.parts = parts;
  }

  get count(): number {
    return this.entries.length;
  }

  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  add(part: JsonObject): void {
    const signature = textOf(part["thoughtSignature"]);
    const call = objectOf(part["functionCall"]);
    if (call !== undefined) return this.addCall(call, signature);
    const kinds = Object.keys(part).filter((key) => !partMarks.has(key));
    const kind = kinds.find((key) => itemKinds.includes(key)) ?? kinds[0];
    if (kind !== undefined) return this.addItem(kind, part);
    return this.addText(textOf(part["text"]), part["thought"] === true ? "thinking" : "text", signature);
  }

  /**
   * Keeps a source the vendor names for the answer.
   * @param key  a later report under the same key adds to the earlier one, or, where it names other sources, follows it
   */
  cite(key: string, citation: JsonObject): void {
    if (isTooDeep(citation) || !hasRoom(this.citations.size)) return;
    const before = this.citations.get(key);
    if (before !== undefined && !namesAllOf(citation, before)) {
      this.citations.delete(key);
      this.citations.set(`${key} ${this.citations.size}`, before);
      this.citations.set(key, wellFormedObject(citation));
    } else this.citations.set(key, { ...before, ...wellFormedObject(citation) });
  }

  /** No more parts come. */
  end(): readonly AssistantBlock[] {
    this.closeRun();
    nameCalls(this.calls);
    const blocks = this.entries.flatMap((entry) => toBlocks(entry));
    const citations = [...this.citations.values()];
    const cited = blocks.findLastIndex((block) => block.type === "text");
    if (citations.length === 0) return blocks;
    if (cited < 0) {
      for (const citation of citations) this.parts.unknown("citations", citation, JSON.stringify(citation));
    }
    return blocks.map((block, at) => (at === cited && block.type === "text" ? { ...block, citations } : block));
  }

  private addText(piece: string, type: Run["type"], signature: string): void {
    if (piece === "" && signature === "") return;
    if (piece === "" && type === "text") {
      this.closeRun();
      this.entries.push({ type: "item", item: { text: "", thoughtSignature: signature } });
      return;
    }
    const last = this.entries.at(-1);
    const run = last?.type === type && last.signature === "" && signature === "" ? last : this.openRun(type, signature);
    this.show(type, run.text.add(piece));
  }

  private openRun(type: Run["type"], signature: string): Run {
    this.closeRun();
    const run: Run = { type, text: new DeltaText(), signature };
    this.entries.push(run);
    return run;
  }

  private closeRun(): void {
    const last = this.entries.at(-1);
    if (last?.type === "text" || last?.type === "thinking") this.show(last.type, last.text.end());
  }

  private show(type: Run["type"], delta: string): void {
    if (type === "text") this.parts.text(delta);
    else this.parts.thinking(delta);
  }

  private addCall(value: JsonObject, signature: string): void {
    this.closeRun();
    const last = this.calls.at(-1);
    if (last?.continuesWith(value) === true) {
      this.parts.toolArguments(this.calls.length - 1, wellFormed(last.name), last.take(value, signature));
      return;
    }
    const call = new GoogleCall(value, signature);
    this.parts.toolArguments(this.calls.length, wellFormed(call.name), call.arguments.text);
    this.calls.push(call);
    this.entries.push(call);
  }

  private addItem(kind: string, part: JsonObject): void {
    this.closeRun();
    const deep = isTooDeep(part);
    if (deep || !itemKinds.includes(kind)) this.parts.unknown(kind, part, deep ? "" : JSON.stringify(part));
    if (!deep) this.entries.push({ type: "item", item: wellFormedObject(part) });
  }
}

/** What a part may have beside the one field that says what it is. */
const partMarks: ReadonlySet<string> = new Set(["text", "thought", "thoughtSignature", "partMetadata"]);

/** True when the later of two reports of one kind has every source that the earlier one has. */
function namesAllOf(later: JsonObject, earlier: JsonObject): boolean {
  const known = new Set(sourcesOf(later));
  return sourcesOf(earlier).every((source) => known.has(source));
}

function sourcesOf(report: JsonObject): readonly string[] {
  return [...listOf(report["groundingChunks"]), ...listOf(report["urlMetadata"])].map((source) =>
    JSON.stringify(source),
  );
}

function toBlocks(entry: Entry): readonly AssistantBlock[] {
  switch (entry.type) {
    case "item":
      return [{ type: "provider-item", item: entry.item }];
    case "call":
      return [entry.toBlock()];
    default:
      if (entry.text.text === "" && entry.signature === "") return [];
      return [{ type: entry.type, text: entry.text.text, ...signed(entry.signature) }];
  }
}

function signed(signature: string): { readonly signature?: string } {
  return signature === "" ? {} : { signature };
}
