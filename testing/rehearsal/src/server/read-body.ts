import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { messageOf } from "@capstan/protocol";
import { limits } from "../limits.ts";

/** A request's body, or why there is none. */
export type ReadBody =
  | { readonly type: "json"; readonly value: unknown; readonly sizeBytes: number }
  | { readonly type: "too-large" }
  | { readonly type: "not-json"; readonly message: string };

/** Reads a body to its end, and its JSON. Rejects when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<ReadBody> {
  const bytes = await readBytes(request);
  if (bytes === "too-large") return { type: "too-large" };
  if (!isUtf8(bytes)) return { type: "not-json", message: "the request body is not valid UTF-8" };
  try {
    return { type: "json", value: JSON.parse(bytes.toString("utf8")), sizeBytes: bytes.length };
  } catch (error) {
    return { type: "not-json", message: `The request body is not valid JSON: ${messageOf(error)}` };
  }
}

/** Reads a body to its end, keeping at most the limit. Rejects when the client goes away. */
export async function readBytes(request: IncomingMessage): Promise<Buffer | "too-large"> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    sizeBytes += chunk.length;
    if (sizeBytes <= limits.requestBytes) chunks.push(chunk);
  }
  return sizeBytes > limits.requestBytes ? "too-large" : Buffer.concat(chunks);
}
