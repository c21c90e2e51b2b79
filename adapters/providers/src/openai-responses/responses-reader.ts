import type { JsonObject, ModelOrigin } from "@capstan/protocol";
import type { ItemState } from "./arriving-item.ts";
import type { Failures } from "../shared/failures.ts";
import { readVendorError, type VendorError } from "../shared/http/error-body.ts";
import { listOf, objectOf, textOf } from "../shared/json-fields.ts";
import type { PlainDelta } from "../shared/stream/delta-template.ts";
import { PartBuffer } from "../shared/stream/part-buffer.ts";
import { nameCalls } from "../shared/stream/tool-calls.ts";
import type { WireReader } from "../shared/stream/wire-reader.ts";
import { OpenOutput } from "./open-output.ts";
import { finishReason } from "./finish-reason.ts";
import { readResponsesUsage } from "./responses-usage.ts";

const namespace = "response.";
/** How the tools that run at the vendor get on; what comes of it stands in their finished items. */
const progress =
  /^(web_search_call|file_search_call|code_interpreter_call(_code)?|image_generation_call|mcp_call(_arguments)?|mcp_list_tools|audio)\b/;

/** Events that continue with a text. */
const textDelta =
  /^response\.(output_text|refusal|reasoning_text|reasoning_summary_text|function_call_arguments)\.delta$/;

/** Reads one answer of the Responses API (https://platform.openai.com/docs/api-reference/responses-streaming). */
export class ResponsesReader implements WireReader {
  readonly parts: PartBuffer = new PartBuffer();
  finished = false;
  private readonly origin: ModelOrigin;
  private readonly failures: Failures;
  private readonly output: OpenOutput = new OpenOutput(this.parts);
  private responseId = "";
  private started = false;

  constructor(origin: ModelOrigin, failures: Failures) {
    this.origin = origin;
    this.failures = failures;
  }

  read(event: JsonObject, name: string | undefined, raw: string): void {
    const type = textOf(event["type"]) || (name ?? "");
    if (type === "error" || (objectOf(event["error"]) !== undefined && type === "")) this.reportedError(event);
    this.started = true;
    switch (type) {
      case "response.created":
      case "response.in_progress":
      case "response.queued":
        this.responseId ||= textOf(objectOf(event["response"])?.["id"]);
        return undefined;
      case "response.output_item.added":
        return this.takeItem(event, "begun");
      case "response.output_item.done":
        return this.takeItem(event, "whole");
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
        return this.finish(objectOf(event["response"]) ?? {}, type.slice(namespace.length));
      case "keepalive":
      case "ping":
        return undefined;
      default:
        return this.itemEvent(type, event, raw);
    }
  }

  plainDelta(event: JsonObject): PlainDelta | undefined {
    const type = textOf(event["type"]);
    const text = event["delta"];
    if (!textDelta.test(type) || typeof text !== "string" || text === "") return undefined;
    const name = type.slice(namespace.length);
    // One object for all pieces: it is read at once, and copies cost more than everything else here.
    const next = { ...event, delta: "" };
    const add = (piece: string): void => {
      next.delta = piece;
      this.output.apply(name, next);
    };
    return { text, add };
  }

  /** Some gateways end every stream alike; the wire's own end is the whole response. */
  readWord(word: string): boolean {
    return word === "[DONE]";
  }

  end(): void {
    throw this.failures.cut(this.started ? "the answer broke off before its end" : "the answer was empty");
  }

  readDocument(document: JsonObject): boolean {
    const status = textOf(document["status"]);
    if (objectOf(document["error"]) !== undefined) this.reportedError(document);
    if (!Array.isArray(document["output"]) || status === "queued" || status === "in_progress") return false;
    this.finish(document, status === "" ? "completed" : status);
    return true;
  }

  private takeItem(event: JsonObject, state: ItemState): void {
    const item = objectOf(event["item"]);
    if (item === undefined)
      throw this.failures.protocol("the stream breaks the wire's order: an item event without an item", true);
    this.makeRoom();
    this.output.takeItem(event, item, state);
  }

  private itemEvent(type: string, event: JsonObject, raw: string): void {
    const name = type.startsWith(namespace) ? type.slice(namespace.length) : type;
    this.makeRoom();
    if (this.output.apply(name, event) || progress.test(name)) return;
    this.parts.unknown(type === "" ? "event" : type, event, raw);
  }

  private makeRoom(): void {
    if (!this.output.hasRoom) throw this.failures.protocol("the answer has too many items", false);
  }

  /** @param word  how the event says that the response ended; its own status says it more exactly */
  private finish(response: JsonObject, word: string): void {
    const own = textOf(response["status"]);
    const status = word === "failed" || own === "" || own === "in_progress" || own === "queued" ? word : own;
    if (status === "failed" || status === "cancelled") this.reportedError(response, status);
    const items = this.output.finish(listOf(response["output"]));
    nameCalls(items.flatMap((item) => item.call ?? []));
    const refused = items.some((item) => item.refused === true);
    const hasCalls = items.some((item) => item.call !== undefined);
    const why = textOf(objectOf(response["incomplete_details"])?.["reason"]);
    const { reason, rawReason } = finishReason({ status, why, hasCalls, refused });
    const responseId = textOf(response["id"]) || this.responseId;
    this.parts.finish({
      type: "finish",
      message: { role: "assistant", origin: this.origin, content: items.flatMap((item) => item.toBlocks()) },
      reason,
      ...(rawReason === undefined ? {} : { rawReason }),
      usage: readResponsesUsage(objectOf(response["usage"])),
      ...(responseId === "" ? {} : { responseId }),
    });
    this.finished = true;
  }

  private reportedError(value: JsonObject, status = ""): never {
    const error = readError(value);
    const message = error.message || (status === "" ? "" : `the response was ${status}`);
    throw this.failures.reported({ ...error, message }, isTransient(error));
  }
}

/** The error is the event itself, inside of it, or inside the response. */
function readError(value: JsonObject): VendorError {
  const message = value["message"] ?? textOf(value["error"]);
  const inner = objectOf(value["error"]) ?? { message, code: value["code"] ?? null };
  return readVendorError({ error: inner }) ?? { message: "", code: undefined, type: undefined, requestId: undefined };
}

/** Of the vendor's codes only these may pass at another try; an error without one is most often a server that fell over. */
function isTransient({ code, type }: VendorError): boolean {
  if (code === undefined) return true;
  const status = Number(code);
  if (!Number.isNaN(status)) return status === 408 || status === 409 || status === 429 || status >= 500;
  const words = `${code} ${type ?? ""}`;
  if (/insufficient_quota|invalid|auth|permission|not_found|policy|context_length/i.test(words)) return false;
  return /rate.?limit|overload|server|internal|unavailable|time.?out|capacity|too_many_requests|upstream/i.test(words);
}
