import type { AssistantBlock, FinishReason, JsonObject, JsonValue, ModelOrigin } from "@capstan/protocol";
import { limits } from "../limits.ts";
import type { Failures } from "../shared/failures.ts";
import { readVendorError } from "../shared/http/error-body.ts";
import { listOf, objectOf, textOf } from "../shared/json-fields.ts";
import type { PlainDelta } from "../shared/stream/delta-template.ts";
import { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom, nameCalls } from "../shared/stream/tool-calls.ts";
import type { WireReader } from "../shared/stream/wire-reader.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { type OpenBlock, openBlock } from "./anthropic-block.ts";
import { AnthropicUsage } from "./anthropic-usage.ts";

const transientErrors: ReadonlySet<string> = new Set([
  "overloaded_error",
  "api_error",
  "rate_limit_error",
  "timeout_error",
]);

/** Where the deltas that continue with a text have it. */
const textFields: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  input_json_delta: "partial_json",
};

/** Reads one answer of the Messages API (https://docs.anthropic.com/en/api/messages-streaming). */
export class AnthropicReader implements WireReader {
  readonly parts: PartBuffer = new PartBuffer();
  finished = false;
  private readonly origin: ModelOrigin;
  private readonly failures: Failures;
  private readonly usage: AnthropicUsage = new AnthropicUsage();
  private readonly blocks: OpenBlock[] = [];
  private readonly open: Map<number, OpenBlock> = new Map();
  private lastIndex = -1;
  private callCount = 0;
  private started = false;
  /** The message as it was announced. */
  private announced = "";
  private responseId = "";
  private stopReason = "";
  private refusal = "";

  constructor(origin: ModelOrigin, failures: Failures) {
    this.origin = origin;
    this.failures = failures;
  }

  read(event: JsonObject, name: string | undefined, raw: string): void {
    const type = textOf(event["type"]) || (name ?? "");
    switch (type) {
      case "content_block_delta":
        return this.blockDelta(event, raw);
      case "content_block_start":
        return this.blockStart(event);
      case "content_block_stop":
        return this.blockStop(event);
      case "message_start":
        return this.messageStart(objectOf(event["message"]));
      case "message_delta":
        return this.messageDelta(event);
      case "message_stop":
        return this.messageStop();
      case "ping":
        return undefined;
      case "error":
        return this.reportedError(event);
      default:
        return this.parts.unknown(type === "" ? "event" : type, event, raw);
    }
  }

  plainDelta(event: JsonObject): PlainDelta | undefined {
    if (event["type"] !== "content_block_delta") return undefined;
    const index = event["index"];
    const block = typeof index === "number" ? this.open.get(index) : undefined;
    const delta = objectOf(event["delta"]);
    const type = textOf(delta?.["type"]);
    const field = textFields[type];
    const text = field === undefined ? undefined : delta?.[field];
    if (block === undefined || field === undefined || typeof text !== "string") return undefined;
    const next = { ...delta, [field]: "" };
    const add = (piece: string): void => {
      next[field] = piece;
      block.apply(type, next);
    };
    return { text, add };
  }

  /** Some gateways end every stream alike; the wire's own end is `message_stop`. */
  readWord(word: string): boolean {
    return word === "[DONE]";
  }

  end(): void {
    throw this.failures.cut(this.started ? "the answer broke off before its end" : "the answer was empty");
  }

  readDocument(document: JsonObject): boolean {
    if (document["type"] === "error" || objectOf(document["error"]) !== undefined) this.reportedError(document);
    const content = document["content"];
    if (!Array.isArray(content) || document["role"] !== "assistant") return false;
    this.messageStart({ ...document, content: [] });
    content.forEach((block: JsonValue, index) => {
      this.blockStart({ index, content_block: block });
      this.blockStop({ index });
    });
    this.messageStop();
    return true;
  }

  private messageStart(message: JsonObject | undefined): void {
    const announced = JSON.stringify(message);
    // Some proxies send the first event of a stream once more after they connected again.
    if (this.started && announced === this.announced) return;
    if (this.started) throw this.broken("a second message_start");
    if (message === undefined) throw this.broken("message_start without a message");
    this.started = true;
    this.announced = announced;
    this.responseId = textOf(message["id"]);
    this.stopReason = textOf(message["stop_reason"]);
    this.refusal = refusalOf(message);
    this.usage.add(objectOf(message["usage"]));
    listOf(message["content"]).forEach((block, index) => {
      this.blockStart({ index, content_block: block });
      this.blockStop({ index });
    });
  }

  private blockStart(event: JsonObject): void {
    const index = this.indexOf(event);
    const start = objectOf(event["content_block"]);
    if (!this.started) throw this.broken("a block before message_start");
    if (start === undefined) throw this.broken("content_block_start without a block");
    if (index <= this.lastIndex) throw this.broken(`block ${index} starts out of order`);
    if (!hasRoom(this.blocks.length)) throw this.failures.protocol("the answer has too many blocks", false);
    this.lastIndex = index;
    const block = openBlock(start, this.callCount, this.parts);
    if (block.call !== undefined) this.callCount += 1;
    this.blocks.push(block);
    this.open.set(index, block);
  }

  private blockDelta(event: JsonObject, raw: string): void {
    const index = this.indexOf(event);
    const delta = objectOf(event["delta"]);
    const block = this.open.get(index);
    if (block === undefined) throw this.broken(`a delta for block ${index}, which is not open`);
    if (delta === undefined) throw this.broken("content_block_delta without a delta");
    const type = textOf(delta["type"]);
    const verdict = block.apply(type, delta);
    if (verdict === "wrong-type") throw this.broken(`a ${type} for a block of another type`);
    if (verdict === "unknown") this.parts.unknown(type === "" ? "delta" : type, event, raw);
  }

  private blockStop(event: JsonObject): void {
    const index = this.indexOf(event);
    const block = this.open.get(index);
    if (block === undefined) throw this.broken(`the end of block ${index}, which is not open`);
    this.open.delete(index);
    const problem = block.close();
    if (problem !== undefined) throw this.broken(problem);
  }

  private messageDelta(event: JsonObject): void {
    if (!this.started) throw this.broken("message_delta before message_start");
    const delta = objectOf(event["delta"]);
    this.stopReason = textOf(delta?.["stop_reason"]) || this.stopReason;
    this.refusal = refusalOf(delta) || this.refusal;
    this.usage.add(objectOf(event["usage"]));
  }

  private messageStop(): void {
    if (!this.started) throw this.broken("message_stop before message_start");
    if (this.open.size > 0) throw this.broken("message_stop inside a block");
    if (this.stopReason === "") throw this.broken("message_stop without a stop reason");
    const calls = this.blocks.flatMap((block) => (block.call === undefined ? [] : [block.call]));
    nameCalls(calls);
    const content = this.blocks.flatMap((block): readonly AssistantBlock[] => {
      const kept = block.toBlock();
      return kept === undefined ? [] : [kept];
    });
    const { reason, plain } = finishReason(this.stopReason, calls.length > 0);
    const rawReason = this.refusal === "" ? this.stopReason : `${this.stopReason}: ${this.refusal}`;
    this.parts.declined(this.refusal);
    this.parts.finish({
      type: "finish",
      message: { role: "assistant", origin: this.origin, content },
      reason,
      ...(plain && this.refusal === "" ? {} : { rawReason }),
      usage: this.usage.total(),
      ...(this.responseId === "" ? {} : { responseId: this.responseId }),
    });
    this.finished = true;
  }

  private reportedError(event: JsonObject): never {
    const error = readVendorError(event) ?? { message: "", code: undefined, type: undefined, requestId: undefined };
    // An error without a type says nothing of what was asked: the same may pass.
    throw this.failures.reported(error, error.type === undefined || transientErrors.has(error.type));
  }

  private indexOf(event: JsonObject): number {
    const index = event["index"];
    if (typeof index === "number" && Number.isInteger(index) && index >= 0) return index;
    throw this.broken("an event without a block index");
  }

  private broken(what: string): Error {
    return this.failures.protocol(`the stream breaks the wire's order: ${what}`, true);
  }
}

/** Why the vendor refused, in its words or, where it explains nothing, the name of its rule. */
function refusalOf(message: JsonObject | undefined): string {
  const details = objectOf(message?.["stop_details"]);
  const words = textOf(details?.["explanation"]).trim() || textOf(details?.["category"]);
  return details?.["type"] === "refusal" ? wellFormed(words.slice(0, limits.errorTextChars)) : "";
}

/** `plain`: our word says all that the vendor's says. */
function finishReason(word: string, hasCalls: boolean): { readonly reason: FinishReason; readonly plain: boolean } {
  switch (word) {
    case "end_turn":
      return { reason: hasCalls ? "tool-calls" : "stop", plain: !hasCalls };
    case "stop_sequence":
      return { reason: hasCalls ? "tool-calls" : "stop", plain: false };
    case "tool_use":
      return { reason: hasCalls ? "tool-calls" : "stop", plain: hasCalls };
    case "max_tokens":
      return { reason: "length", plain: true };
    case "model_context_window_exceeded":
      return { reason: "length", plain: false };
    case "refusal":
      return { reason: "refusal", plain: true };
    case "pause_turn":
      return { reason: "pause", plain: true };
    case "compaction":
      // The vendor has shortened the conversation, and continues once it gets its summary back.
      return { reason: "pause", plain: false };
    default:
      return { reason: "other", plain: false };
  }
}
