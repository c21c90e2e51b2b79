import type { Exchange } from "@capstan/rehearsal";
import type { WireName } from "./place.ts";

/** A tool result as the model would read it. `isError` only on wires that carry it. */
export interface ReadResult {
  readonly text: string;
  readonly isError?: boolean;
}

/** Where a wire keeps the conversation, and what stands before it. */
const places: Readonly<Record<WireName, { readonly messages: string; readonly head: readonly string[] }>> = {
  anthropic: { messages: "messages", head: ["model", "system", "tools"] },
  "openai-responses": { messages: "input", head: ["model", "instructions", "tools"] },
  "openai-chat": { messages: "messages", head: ["model", "tools"] },
  google: { messages: "contents", head: ["systemInstruction", "tools"] },
};

/** The messages of a request without the vendor's cache marks, which move on from request to request. */
export function messagesOf(exchange: Exchange): readonly unknown[] {
  const messages = listIn(exchange.body, placeOf(exchange).messages);
  return messages.map((message: unknown) => withoutCacheMarks(message));
}

/** Everything that stands before the messages, and what would be part of the vendor's cache. */
export function headOf(exchange: Exchange): unknown {
  const head = placeOf(exchange).head.map((name) => [name, field(exchange.body, name)] as const);
  return withoutCacheMarks(Object.fromEntries(head));
}

/** The tools that a request to the first vendor offers, in its order. */
export function toolNames({ body }: Exchange): readonly string[] {
  return listIn(body, "tools").map((tool) => String(field(tool, "name")));
}

/** The results that answer the last batch of calls, in order. */
export function resultsOf(exchange: Exchange | undefined): readonly ReadResult[] {
  if (exchange === undefined) return [];
  const messages = messagesOf(exchange);
  switch (wireOf(exchange)) {
    case "anthropic":
      return listIn(messages.at(-1), "content")
        .filter((block) => field(block, "type") === "tool_result")
        .map((block) => ({ text: textOf(field(block, "content")), isError: field(block, "is_error") === true }));
    case "openai-responses":
      return messages
        .slice(messages.findLastIndex((item) => field(item, "type") === "function_call") + 1)
        .filter((item) => field(item, "type") === "function_call_output")
        .map((item) => ({ text: textOf(field(item, "output")) }));
    case "openai-chat":
      return messages
        .slice(messages.findLastIndex((message) => field(message, "role") === "assistant") + 1)
        .filter((message) => field(message, "role") === "tool")
        .map((message) => ({ text: textOf(field(message, "content")) }));
    case "google":
      return listIn(messages.at(-1), "parts")
        .map((part) => field(field(part, "functionResponse"), "response"))
        .filter((response) => response !== undefined)
        .map((response) => {
          const error = field(response, "error");
          return { text: textOf(error ?? field(response, "output")), isError: error !== undefined };
        });
  }
}

/** The last text a user said. */
export function lastUserText(exchange: Exchange | undefined): string {
  if (exchange === undefined) return "";
  const message = messagesOf(exchange).findLast((candidate) => field(candidate, "role") === "user");
  return textOf(field(message, "content") ?? field(message, "parts"));
}

function wireOf({ wire }: Exchange): WireName {
  if (wire in places) return wire; // oxlint-disable-line no-unsafe-type-assertion -- just looked up
  throw new Error(`no test reads requests over ${wire}`);
}

function placeOf(exchange: Exchange): (typeof places)[WireName] {
  return places[wireOf(exchange)];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((part: unknown) => field(part, "text"));
  return texts.filter((text) => typeof text === "string").join("\n");
}

function withoutCacheMarks(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, item: unknown) => (key === "cache_control" ? undefined : item)));
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}

/** A field of something that may be no object. */
function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
