import type { FinishReason, JsonObject, JsonValue, ModelOrigin } from "@capstan/protocol";
import { limits } from "../limits.ts";
import type { Failures } from "../shared/failures.ts";
import { readVendorError, type VendorError } from "../shared/http/error-body.ts";
import { listOf, objectOf, textOf } from "../shared/json-fields.ts";
import type { PlainDelta } from "../shared/stream/delta-template.ts";
import { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom } from "../shared/stream/tool-calls.ts";
import type { WireReader } from "../shared/stream/wire-reader.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { GoogleContent } from "./google-content.ts";
import { GoogleUsage } from "./google-usage.ts";

/** Fields of a chunk that are read, or that say nothing about the answer. */
const knownFields: ReadonlySet<string> = new Set([
  "candidates",
  "promptFeedback",
  "usageMetadata",
  "modelVersion",
  "responseId",
  "createTime",
  "modelStatus",
]);

/** Those that say nothing new, or that count on, from chunk to chunk. */
const constantFields: ReadonlySet<string> = new Set([
  "candidates",
  "usageMetadata",
  "modelVersion",
  "responseId",
  "createTime",
]);

/** Reads one answer of Gemini's `streamGenerateContent` (https://ai.google.dev/api/generate-content). */
export class GoogleReader implements WireReader {
  readonly parts: PartBuffer = new PartBuffer();
  finished = false;
  private readonly origin: ModelOrigin;
  private readonly failures: Failures;
  private readonly content: GoogleContent = new GoogleContent(this.parts);
  private readonly usage: GoogleUsage = new GoogleUsage();
  private readonly reportedFields: Set<string> = new Set();
  private started = false;
  private responseId = "";
  private finishWord = "";
  private finishMessage = "";
  private blocked = false;

  constructor(origin: ModelOrigin, failures: Failures) {
    this.origin = origin;
    this.failures = failures;
  }

  read(chunk: JsonObject, name: string | undefined, raw: string): void {
    if ((chunk["error"] ?? null) !== null || name === "error") this.reportedError(chunk);
    this.started = true;
    this.responseId ||= textOf(chunk["responseId"]);
    this.usage.add(objectOf(chunk["usageMetadata"]));
    this.readFeedback(objectOf(chunk["promptFeedback"]));
    for (const candidate of listOf(chunk["candidates"])) this.readCandidate(objectOf(candidate));
    const unknown = Object.keys(chunk).find((key) => !knownFields.has(key) && !this.reportedFields.has(key));
    if (unknown === undefined) return;
    // Whatever one chunk has beside the answer, most often every chunk has.
    this.reportedFields.add(unknown);
    this.parts.unknown(unknown, chunk, raw);
  }

  plainDelta(chunk: JsonObject): PlainDelta | undefined {
    const candidates = listOf(chunk["candidates"]);
    const candidate = objectOf(candidates[0]);
    const parts = listOf(objectOf(candidate?.["content"])?.["parts"]);
    const part = objectOf(parts[0]);
    const text = part?.["text"];
    if (candidates.length !== 1 || candidate === undefined || parts.length !== 1 || part === undefined)
      return undefined;
    if (typeof text !== "string" || text === "" || (candidate["index"] ?? 0) !== 0) return undefined;
    const plain =
      Object.keys(chunk).every((key) => constantFields.has(key)) &&
      Object.keys(candidate).every((key) => key === "content" || key === "index") &&
      Object.keys(part).every((key) => key === "text" || key === "thought");
    const next = { ...part, text: "" };
    const add = (piece: string): void => {
      next.text = piece;
      this.content.add(next);
    };
    return plain ? { text, add } : undefined;
  }

  catchUp(chunk: JsonObject): void {
    this.usage.add(objectOf(chunk["usageMetadata"]));
  }

  /** Some gateways end every stream alike; the wire's own end is the end of the stream. */
  readWord(word: string): boolean {
    if (word !== "[DONE]") return false;
    this.end();
    return true;
  }

  end(): void {
    if (!this.started) throw this.failures.cut("the answer was empty");
    if (this.finishWord === "") throw this.failures.cut("the answer broke off before its end");
    const content = this.content.end();
    const { reason, plain } = this.finishReason();
    if (reason === "content-filter") this.parts.declined(this.rawReason());
    this.parts.finish({
      type: "finish",
      message: { role: "assistant", origin: this.origin, content },
      reason,
      ...(plain ? {} : { rawReason: this.rawReason() }),
      usage: this.usage.total(),
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

  readList(events: readonly JsonValue[]): boolean {
    const chunks = events.map((event) => objectOf(event));
    if (chunks.length === 0) return false;
    for (const chunk of chunks) {
      if (chunk === undefined) return false;
      this.read(chunk, undefined, "");
    }
    this.end();
    return true;
  }

  /** A prompt that is blocked is answered without a candidate. */
  private readFeedback(feedback: JsonObject | undefined): void {
    const word = textOf(feedback?.["blockReason"]);
    if (word === "") return;
    this.blocked = true;
    this.finishWord = word;
    this.finishMessage = textOf(feedback?.["blockReasonMessage"]);
  }

  /** Only the first candidate is the answer. A chunk that ends it may bring parts as well. */
  private readCandidate(candidate: JsonObject | undefined): void {
    if (candidate === undefined || (candidate["index"] ?? 0) !== 0) return;
    for (const item of listOf(objectOf(candidate["content"])?.["parts"])) {
      const part = objectOf(item);
      if (!hasRoom(this.content.count)) throw this.failures.protocol("the answer has too many parts", false);
      if (part !== undefined) this.content.add(part);
    }
    this.readSources(candidate);
    const word = textOf(candidate["finishReason"]);
    if (word === "" || this.blocked) return;
    this.finishWord = word;
    this.finishMessage = textOf(candidate["finishMessage"]) || this.finishMessage;
  }

  private readSources(candidate: JsonObject): void {
    const cited = objectOf(candidate["citationMetadata"]);
    for (const source of [...listOf(cited?.["citationSources"]), ...listOf(cited?.["citations"])]) {
      this.content.cite(JSON.stringify(source), { type: "citation", ...objectOf(source) });
    }
    for (const field of ["groundingMetadata", "urlContextMetadata"]) {
      const value = objectOf(candidate[field]);
      if (value !== undefined && Object.keys(value).length > 0) this.content.cite(field, { type: field, ...value });
    }
  }

  private finishReason(): { readonly reason: FinishReason; readonly plain: boolean } {
    if (this.blocked) return { reason: "content-filter", plain: false };
    switch (this.finishWord) {
      case "STOP":
        return { reason: this.content.hasCalls ? "tool-calls" : "stop", plain: true };
      case "MAX_TOKENS":
        return { reason: "length", plain: true };
      case "CONTINUATION":
        return { reason: "length", plain: false };
      case "SAFETY":
      case "RECITATION":
      case "LANGUAGE":
      case "BLOCKLIST":
      case "PROHIBITED_CONTENT":
      case "SPII":
      case "MODEL_ARMOR":
      case "JAILBREAK":
      case "IMAGE_SAFETY":
      case "IMAGE_PROHIBITED_CONTENT":
      case "IMAGE_RECITATION":
        return { reason: "content-filter", plain: false };
      case "MALFORMED_FUNCTION_CALL":
      case "UNEXPECTED_TOOL_CALL":
        // The vendor withholds such a call, so there is nothing to answer the model with; another try most often passes.
        throw this.failures.protocol(`the model wrote a call that is none: ${this.rawReason()}`, true);
      default:
        return { reason: "other", plain: false };
    }
  }

  private rawReason(): string {
    const words = this.finishMessage === "" ? this.finishWord : `${this.finishWord}: ${this.finishMessage}`;
    return wellFormed(words.slice(0, limits.errorTextChars));
  }

  private reportedError(chunk: JsonObject): never {
    const error = readVendorError(chunk) ?? { message: "", code: undefined, type: undefined, requestId: undefined };
    throw this.failures.reported(error, isTransient(error));
  }
}

function isTransient({ code, rpc }: VendorError): boolean {
  if (rpc?.dayQuotaUsedUp === true) return false;
  if (rpc !== undefined) {
    return /^(RESOURCE_EXHAUSTED|UNAVAILABLE|INTERNAL|DEADLINE_EXCEEDED|ABORTED|CANCELLED|UNKNOWN)$/.test(rpc.status);
  }
  const status = Number(code ?? "500");
  return status === 408 || status === 429 || status >= 500;
}
