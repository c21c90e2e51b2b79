import { type AssistantBlock, type JsonObject, type JsonValue, type ModelOrigin, noUsage } from "@capstan/protocol";
import type { Failures } from "../shared/failures.ts";
import { readVendorError, type VendorError } from "../shared/http/error-body.ts";
import { listOf, objectOf, textOf } from "../shared/json-fields.ts";
import type { PlainDelta } from "../shared/stream/delta-template.ts";
import { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom, nameCalls, toToolCallBlock } from "../shared/stream/tool-calls.ts";
import type { WireReader } from "../shared/stream/wire-reader.ts";
import type { AskedCall } from "../shared/wire-provider.ts";
import { AnswerText } from "./answer-text.ts";
import { readChatDialect } from "./chat-dialect.ts";
import { ChatToolCalls } from "./chat-tool-calls.ts";
import { readChatUsage } from "./chat-usage.ts";
import { Citations, namesSources } from "./citations.ts";
import { finishReason } from "./finish-reason.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

/** Reads one answer of the Chat Completions API, as OpenAI and the many servers that speak it send it. */
export class ChatReader implements WireReader {
  readonly parts: PartBuffer = new PartBuffer();
  finished = false;
  private readonly origin: ModelOrigin;
  private readonly failures: Failures;
  private readonly answer: AnswerText;
  private readonly details: ReasoningDetails | undefined;
  private readonly toolCalls: ChatToolCalls = new ChatToolCalls(this.parts);
  private readonly citations: Citations = new Citations();
  private refused = false;
  private usage = noUsage;
  private responseId = "";
  private finishWord = "";
  private usageSeen = false;

  constructor(origin: ModelOrigin, failures: Failures, { request, model }: AskedCall) {
    const dialect = readChatDialect(model);
    this.origin = origin;
    this.failures = failures;
    this.answer = new AnswerText(this.parts, dialect, request.tools);
    this.details = dialect.echo.details ? new ReasoningDetails() : undefined;
  }

  read(chunk: JsonObject, name: string | undefined, raw: string): void {
    if (chunk["error"] !== undefined && chunk["error"] !== null) this.reportedError(chunk);
    if (name === "error" || chunk["object"] === "error") this.reportedError(chunk);
    this.responseId ||= textOf(chunk["id"]);
    const usage = objectOf(chunk["usage"]) ?? objectOf(objectOf(chunk["x_groq"])?.["usage"]);
    if (usage !== undefined) this.takeUsage(usage);
    if (namesSources(chunk)) this.citations.readBeside(chunk);
    const choices = chunk["choices"];
    if (Array.isArray(choices)) for (const choice of choices) this.readChoice(objectOf(choice));
    else if (usage === undefined) this.parts.unknown(textOf(chunk["object"]) || (name ?? "event"), chunk, raw);
  }

  plainDelta(chunk: JsonObject): PlainDelta | undefined {
    const choices = listOf(chunk["choices"]);
    const choice = objectOf(choices[0]);
    const delta = objectOf(choice?.["delta"]);
    if (choices.length !== 1 || choice === undefined || delta === undefined || hasMore(chunk, choice, delta))
      return undefined;
    const text = delta["content"];
    if (typeof text !== "string" || text === "") return undefined;
    return { text, add: (piece) => this.answer.content(piece) };
  }

  readWord(word: string): boolean {
    if (word !== "[DONE]") return false;
    // A server that counts what an answer cost and ends the stream has reported its end (Snowflake).
    if (this.usageSeen) this.finishWord ||= word;
    this.end();
    return true;
  }

  end(): void {
    if (this.finishWord === "") throw this.failures.cut("the answer broke off before its end");
    this.readWritten();
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

  /** Takes the calls that a whole answer holds as text. */
  private readWritten(): void {
    const whole = finishReason(this.finishWord, false, this.refused).reason === "stop";
    const written = this.answer.end(whole && this.toolCalls.calls.length === 0);
    for (const call of written) this.toolCalls.addWritten(call);
    if (written.length === 0) return;
    const names = [...new Set(written.map((call) => call.name))].join(", ");
    const text = `The model wrote a tool call as text, which was read as one: ${names}.`;
    this.parts.notice({ code: "provider.recovered-call", text });
  }

  private readChoice(choice: JsonObject | undefined): void {
    if (choice === undefined || (choice["index"] ?? 0) !== 0) return;
    const usage = objectOf(choice["usage"]);
    if (usage !== undefined) this.takeUsage(usage);
    const delta = objectOf(choice["delta"]) ?? objectOf(choice["message"]);
    if (delta !== undefined) this.readDelta(delta);
    const word = textOf(choice["finish_reason"]);
    if (word === "error") this.reportedError(choice);
    if (word !== "") this.finishWord = word;
  }

  private takeUsage(usage: JsonObject): void {
    this.usage = readChatUsage(usage);
    this.usageSeen = true;
  }

  private readDelta(delta: JsonObject): void {
    const thinking = thinkingOf(delta);
    if (thinking !== "") this.answer.thinking(thinking);
    if (delta["reasoning_details"] !== undefined) this.details?.add(delta["reasoning_details"]);
    const { content } = delta;
    if (typeof content === "string") {
      if (content !== "") this.answer.content(content);
    } else if (Array.isArray(content)) this.readContentParts(content);
    const refusal = textOf(delta["refusal"]);
    if (refusal !== "") {
      this.refused = true;
      this.answer.text(refusal);
    }
    const entries = listOf(delta["tool_calls"]);
    entries.forEach((entry, at) => this.addCall(() => this.toolCalls.add(entry, entries.length - at)));
    const legacy = objectOf(delta["function_call"]);
    if (legacy !== undefined) this.addCall(() => this.toolCalls.addLegacy(legacy));
    this.citations.add(delta["annotations"]);
    this.citations.addExecuted(delta["executed_tools"]);
  }

  private readContentParts(parts: readonly JsonValue[]): void {
    for (const item of parts) {
      const part = objectOf(item);
      if (part === undefined) this.answer.content(textOf(item));
      else if (part["type"] === "thinking") this.answer.thinking(textsOf(part["thinking"]));
      else this.answer.content(textOf(part["text"]) || textOf(part["refusal"]));
      if (part?.["type"] === "refusal") this.refused = true;
    }
  }

  private addCall(add: () => void): void {
    if (!hasRoom(this.toolCalls.calls.length)) throw this.failures.protocol("the answer has too many calls", false);
    this.answer.stopCalls();
    add();
  }

  private content(): readonly AssistantBlock[] {
    const { answer } = this;
    const citations = this.citations.all();
    const text = { type: "text", text: answer.said, ...(citations.length === 0 ? {} : { citations }) } as const;
    return [
      ...(answer.thought === "" ? [] : [{ type: "thinking", text: answer.thought } as const]),
      ...(this.details?.blocks() ?? []),
      ...(answer.said === "" ? [] : [text]),
      ...this.toolCalls.calls.map(toToolCallBlock),
    ];
  }

  private reportedError(chunk: JsonObject): never {
    const error = readVendorError(chunk) ?? { message: "", code: undefined, type: undefined, requestId: undefined };
    throw this.failures.reported(error, isTransient(error));
  }
}

/** Whether a chunk says anything beside its content. */
function hasMore(chunk: JsonObject, choice: JsonObject, delta: JsonObject): boolean {
  return (
    (choice["index"] ?? 0) !== 0 ||
    said(choice["finish_reason"]) ||
    said(choice["usage"]) ||
    said(chunk["usage"]) ||
    said(chunk["x_groq"]) ||
    said(chunk["error"]) ||
    namesSources(chunk) ||
    Object.keys(delta).some((key) => key !== "content" && key !== "role" && said(delta[key]))
  );
}

function said(value: JsonValue | undefined): boolean {
  return (value ?? null) !== null && value !== "";
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
  // Groq's words for a call that the model wrote and nobody can read: another try most often passes.
  if (/^(tool_use|output_parse)_failed$/.test(error.code)) return true;
  const words = `${error.code} ${error.type ?? ""}`;
  if (/insufficient_quota|invalid|auth|permission|not_found|content/i.test(words)) return false;
  return /rate.?limit|overload|server|internal|unavailable|time.?out|capacity|api_error|upstream/i.test(words);
}
