import type { HookEvent, JsonObject } from "@capstan/protocol";
import { messageOf } from "@capstan/protocol";
import type { FoundHook, HookWork } from "../found-hook.ts";
import { maxOutputBytes } from "../limits.ts";
import { type HookWords, wordsOf } from "./hook-words.ts";

/** Asks a hook that is an address. @throws the signal's reason */
export async function askAddress(
  { work: { url, headers }, timeoutMs }: FoundHook & { readonly work: Extract<HookWork, { readonly type: "http" }> },
  event: HookEvent,
  input: JsonObject,
  signal: AbortSignal,
): Promise<HookWords> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(input),
      // The token of one address is not for another.
      redirect: "error",
      signal: AbortSignal.any([signal, timeout]),
    });
    const text = await bounded(response);
    if (text === undefined) return { result: "failed", message: `it answered with more than ${maxOutputBytes} bytes` };
    if (!response.ok) return { result: "not-run", message: `it answered with status ${response.status}` };
    return wordsOf(event, text);
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { result: "timed-out", message: `it had ${timeoutMs / 1000} s` };
    return { result: "not-run", message: `it could not be asked: ${reasonOf(error)}` };
  }
}

async function bounded({ body }: Response): Promise<string | undefined> {
  if (body === null) return "";
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxOutputBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** What fetch says itself is that it failed. */
function reasonOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}
