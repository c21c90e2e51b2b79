import {
  type AssistantBlock,
  type FinishReason,
  type JsonObject,
  type JsonValue,
  type ModelOrigin,
  noUsage,
} from "@capstan/protocol";
import type { Failures } from "../shared/failures.ts";
import { readVendorError, type VendorError } from "../shared/http/error-body.ts";
import { isTooDeep, listOf, objectOf, textOf } from "../shared/json-fields.ts";
import { DeltaText } from "../shared/stream/delta-text.ts";
import { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom, nameCalls, toToolCallBlock } from "../shared/stream/tool-calls.ts";
import type { WireReader } from "../shared/stream/wire-reader.ts";
import { ChatToolCalls } from "./chat-tool-calls.ts";
import { readChatUsage } from "./chat-usage.ts";

/** Reads one answer of the Chat Completions API, as OpenAI and the many servers that speak it send it. */
export class ChatReader implements WireReader {
  readonly parts: PartBuffer = new PartBuffer();
  finished = false;
  private readonly origin: ModelOrigin;
  private readonly failures: Failures;
  private readonly text: DeltaText = new DeltaText();
  private readonly thinking: DeltaText = new DeltaText();
  private readonly toolCalls: ChatToolCalls = new ChatToolCalls(this.parts);
  private readonly citations: JsonValue[] = [];
  private refused = false;
  private usage = noUsage;
  private responseId = "";
  private finishWord = "";

  constructor(origin: ModelOrigin, failures: Failures) {
    this.origin = origin;
    this.failures = failures;
  }

  read(chunk: JsonObject, name: string | undefined, raw: string): void {
    if (chunk["error"] !== undefined && chunk["error"] !== null) this.reportedError(chunk);
    if (name === "error" || chunk["object"] === "error") this.reportedError(chunk);
    this.responseId ||= textOf(chunk["id"]);
    const usage = objectOf(chunk["usage"]) ?? objectOf(objectOf(chunk["x_groq"])?.["usage"]);
    if (usage !== undefined) this.usage = readChatUsage(usage);
    const choices = chunk["choices"];
    if (Array.isArray(choices)) for (const choice of choices) this.readChoice(objectOf(choice));
    else if (usage === undefined) this.parts.unknown(textOf(chunk["object"]) || (name ?? "event"), chunk, raw);
  }

  readWord(word: string): boolean {
    if (word !== "[DONE]") return false;
    this.end();
    return true;
  }

  end(): void {
    if (this.finishWord === "") throw this.failures.cut("the answer broke off before its end");
    this.parts.thinking(this.thinking.end());
    this.parts.text(this.text.end());
    this.toolCalls.end();
    const { calls } = this.toolCalls;
    nameCalls(calls);
    const { reason, plain } = finishReason(this.finishWord, calls.length > 0, this.refused);
    this.parts.finish({
      type: "finish",
      message: { role: "assistant", origin: this.origin, content: this.content() },
      reason,
      ...(plain ? {} : { rawReason: this.finishWord }),
      usage: this.usage,
      ...(this.responseId === "" ? {} : { responseId: this.responseId }),
    });
    this.finished = true;
  }

  readDocument(document: JsonObject): boolean {
    this.read(document, undefined, "");
    if (this.finishWord === "") return false;
    this.end();
    return true;
  }

  private readChoice(choice: JsonObject | undefined): void {
    if (choice === undefined || (choice["index"] ?? 0) !== 0) return;
    const usage = objectOf(choice["usage"]);
    if (usage !== undefined) this.usage = readChatUsage(usage);
    const delta = objectOf(choice["delta"]) ?? objectOf(choice["message"]);
    if (delta !== undefined) this.readDelta(delta);
    const word = textOf(choice["finish_reason"]);
    if (word === "error") this.reportedError(choice);
    if (word !== "") this.finishWord = word;
  }

  private readDelta(delta: JsonObject): void {
    const thinking = thinkingOf(delta);
    if (thinking !== "") this.parts.thinking(this.thinking.add(thinking));
    const { content } = delta;
    if (typeof content === "string") {
      if (content !== "") this.parts.text(this.text.add(content));
    } else if (Array.isArray(content)) this.readContentParts(content);
    const refusal = textOf(delta["refusal"]);
    if (refusal !== "") {
      this.refused = true;
      this.parts.text(this.text.add(refusal));
    }
    for (const entry of listOf(delta["tool_calls"])) this.addCall(() => this.toolCalls.add(entry));
    const legacy = objectOf(delta["function_call"]);
    if (legacy !== undefined) this.addCall(() => this.toolCalls.addLegacy(legacy));
    this.citations.push(...listOf(delta["annotations"]).filter((citation) => !isTooDeep(citation)));
  }

  private readContentParts(parts: readonly JsonValue[]): void {
    for (const item of parts) {
      const part = objectOf(item);
      if (part === undefined) this.parts.text(this.text.add(textOf(item)));
      else if (part["type"] === "thinking") this.parts.thinking(this.thinking.add(textsOf(part["thinking"])));
      else this.parts.text(this.text.add(textOf(part["text"]) || textOf(part["refusal"])));
      if (part?.["type"] === "refusal") this.refused = true;
    }
  }

  private addCall(add: () => void): void {
    if (!hasRoom(this.toolCalls.calls.length)) throw this.failures.protocol("the answer has too many calls", false);
    add();
  }

  private content(): readonly AssistantBlock[] {
    const { citations } = this;
    const text = { type: "text", text: this.text.text, ...(citations.length === 0 ? {} : { citations }) } as const;
    return [
      ...(this.thinking.text === "" ? [] : [{ type: "thinking", text: this.thinking.text } as const]),
      ...(this.text.text === "" ? [] : [text]),
      ...this.toolCalls.calls.map(toToolCallBlock),
    ];
  }

  private reportedError(chunk: JsonObject): never {
    const error = readVendorError(chunk) ?? { message: "", code: undefined, type: undefined, requestId: undefined };
    throw this.failures.reported(error, isTransient(error));
  }
}

/** Servers disagree on the field; OpenRouter sends the same text in two of them, so one is chosen. */
function thinkingOf(delta: JsonObject): string {
  return (
    textOf(delta["reasoning_content"]) ||
    textOf(delta["reasoning"]) ||
    textOf(delta["thinking"]) ||
    listOf(delta["reasoning_details"])
      .map((detail) => textOf(objectOf(detail)?.["text"]) || textOf(objectOf(detail)?.["summary"]))
      .join("")
  );
}

function textsOf(value: JsonValue | undefined): string {
  return (
    textOf(value) ||
    listOf(value)
      .map((item) => textOf(item) || textOf(objectOf(item)?.["text"]))
      .join("")
  );
}

/** Codes in a stream are statuses (OpenRouter) or words; an error without either is most often a server that fell over. */
function isTransient(error: VendorError): boolean {
  const status = Number(error.code ?? "");
  if (error.code === undefined) return true;
  if (!Number.isNaN(status)) return status === 408 || status === 409 || status === 429 || status >= 500;
  const words = `${error.code} ${error.type ?? ""}`;
  if (/insufficient_quota|invalid|auth|permission|not_found|content/i.test(words)) return false;
  return /rate.?limit|overload|server|internal|unavailable|time.?out|capacity|api_error|upstream/i.test(words);
}

/** `plain`: our word says all that the vendor's says. The words beside OpenAI's own are those of compatible servers. */
function finishReason(
  word: string,
  hasCalls: boolean,
  refused: boolean,
): { readonly reason: FinishReason; readonly plain: boolean } {
  switch (word.toLowerCase()) {
    case "stop":
    case "eos":
    case "eos_token":
    case "end_turn":
    case "stop_sequence":
      if (hasCalls) return { reason: "tool-calls", plain: false };
      return refused ? { reason: "refusal", plain: false } : { reason: "stop", plain: word === "stop" };
    case "tool_calls":
    case "tool_use":
    case "function_call":
      return { reason: hasCalls ? "tool-calls" : "stop", plain: hasCalls && word === "tool_calls" };
    case "length":
    case "max_tokens":
    case "model_length":
      return { reason: "length", plain: word === "length" };
    case "content_filter":
      return { reason: "content-filter", plain: word === "content_filter" };
    default:
      return { reason: "other", plain: false };
  }
}
