import { isJsonObject } from "@capstan/protocol";
import { repeatedCharacters } from "../limits.ts";
import { rpcCodes, type RpcProblem } from "./rpc-error.ts";

export type RpcId = string | number | null;

/** What a line of the other side is. */
export type RpcMessage =
  | { readonly type: "request"; readonly id: RpcId; readonly method: string; readonly params: unknown }
  | { readonly type: "notification"; readonly method: string; readonly params: unknown }
  | { readonly type: "response"; readonly id: RpcId; readonly result: unknown; readonly problem: RpcProblem | null }
  /** It is none, and is answered so. */
  | { readonly type: "refused"; readonly id: RpcId; readonly problem: RpcProblem };

/** Reads a line. Total: any text is a message, or is refused with a reason. */
export function readRpcMessage(line: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refused(null, rpcCodes.parse, `the line is no valid JSON: ${shown(line)}`);
  }
  if (Array.isArray(value))
    return refused(null, rpcCodes.invalidRequest, "a line is one message: batches are not taken");
  if (!isJsonObject(value)) return refused(null, rpcCodes.invalidRequest, "the line is no JSON object");
  return readObject(value);
}

function readObject(value: Readonly<Record<string, unknown>>): RpcMessage {
  const { id, method, params } = value;
  if (id !== undefined && !isId(id))
    return refused(null, rpcCodes.invalidRequest, "`id` must be a text, a whole number or null");
  if (value["jsonrpc"] !== "2.0") return refused(id ?? null, rpcCodes.invalidRequest, '`jsonrpc` must be "2.0"');
  if (method === undefined) return readResponse(value, id);
  if (typeof method !== "string") return refused(id ?? null, rpcCodes.invalidRequest, "`method` must be a text");
  if (id === undefined) return { type: "notification", method, params };
  return { type: "request", id, method, params };
}

function readResponse(value: Readonly<Record<string, unknown>>, id: RpcId | undefined): RpcMessage {
  const { result, error } = value;
  if (id === undefined || (result === undefined && error === undefined))
    return refused(id ?? null, rpcCodes.invalidRequest, "the message has neither `method` nor an answer");
  if (error === undefined) return { type: "response", id, result, problem: null };
  const { code, message } = isJsonObject(error) ? error : {};
  const problem = {
    code: typeof code === "number" ? code : rpcCodes.internal,
    message: typeof message === "string" ? message : "an error without a message",
  };
  return { type: "response", id, result: undefined, problem };
}

function isId(value: unknown): value is RpcId {
  return value === null || typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
}

function refused(id: RpcId, code: number, message: string): RpcMessage {
  return { type: "refused", id, problem: { code, message } };
}

function shown(text: string): string {
  return JSON.stringify(text.length > repeatedCharacters ? `${text.slice(0, repeatedCharacters)}…` : text);
}
