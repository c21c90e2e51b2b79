import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { isList, listOf, objectOf, parseJson, textOf } from "../json-fields.ts";
import { readRpcStatus, type RpcStatus } from "./rpc-status.ts";

/** What a vendor says about a failure, before redaction. */
export interface VendorError {
  readonly message: string;
  /** The vendor's most informative word: its code, else its type. */
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly requestId: string | undefined;
  /** What Google's errors say beside their message. */
  readonly rpc?: RpcStatus;
}

/** Reads the error of an answer with an error status: JSON in any known shape, else a page of a proxy as plain text. */
export function readErrorBody(body: string): VendorError {
  const value = parseJson(body);
  const first = isList(value) ? value[0] : value;
  const found = first === undefined ? undefined : readVendorError(first);
  return found ?? { message: plainText(body), code: undefined, type: undefined, requestId: undefined };
}

/** Reads an error object in the shapes vendors use; `undefined` when it is none. */
export function readVendorError(value: JsonValue): VendorError | undefined {
  if (typeof value === "string") return { message: value, code: undefined, type: undefined, requestId: undefined };
  if (!isJsonObject(value)) return undefined;
  const inner = objectOf(value["error"]) ?? value;
  const message = messageIn(inner) || textOf(value["error"]) || messageIn(value);
  const type = wordOf(inner["type"]);
  const code = wordOf(inner["code"]) ?? type ?? wordOf(inner["status"]);
  if (message === "" && code === undefined) return undefined;
  const rpc = readRpcStatus(inner);
  const requestId = wordOf(value["request_id"]) ?? wordOf(inner["request_id"]);
  return { message, code, type, requestId, ...(rpc === undefined ? {} : { rpc }) };
}

function messageIn(value: JsonObject): string {
  const detail = value["detail"];
  const details = listOf(detail).map((item) => textOf(objectOf(item)?.["msg"]));
  return textOf(value["message"]) || textOf(detail) || details.filter((text) => text !== "").join("; ");
}

function wordOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function plainText(body: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(body)?.[1]?.trim();
  if (title !== undefined && title !== "") return title;
  return body
    .slice(0, limits.errorBodyBytes)
    .replace(/<(script|style)\b[^]*?(?:<\/\1>|$)/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .trim();
}
