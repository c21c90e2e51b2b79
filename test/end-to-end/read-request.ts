import type { Exchange } from "@capstan/rehearsal";

/** A tool result as the model would read it. `isError` only on wires that carry it. */
export interface ReadResult {
  readonly text: string;
  readonly isError?: boolean;
}

/** The messages of a request without the vendor's cache marks, which move on from request to request. */
export function messagesOf({ body }: Exchange): readonly unknown[] {
  const messages: unknown = field(body, "messages");
  return Array.isArray(messages) ? messages.map((message: unknown) => withoutCacheMarks(message)) : [];
}

/** Everything that stands before the messages, and what would be part of the vendor's cache. */
export function headOf({ body }: Exchange): unknown {
  return withoutCacheMarks({ model: field(body, "model"), system: field(body, "system"), tools: field(body, "tools") });
}

/** The results that answer the last batch of calls, in order. */
export function resultsOf(exchange: Exchange | undefined): readonly ReadResult[] {
  if (exchange === undefined) return [];
  const messages = messagesOf(exchange);
  if (exchange.wire === "anthropic") {
    const content = field(messages.at(-1), "content");
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    return blocks
      .filter((block) => field(block, "type") === "tool_result")
      .map((block) => ({ text: textOf(field(block, "content")), isError: field(block, "is_error") === true }));
  }
  const lastAssistant = messages.findLastIndex((message) => field(message, "role") === "assistant");
  return messages
    .slice(lastAssistant + 1)
    .filter((message) => field(message, "role") === "tool")
    .map((message) => ({ text: textOf(field(message, "content")) }));
}

/** The last text a person said. */
export function lastUserText(exchange: Exchange | undefined): string {
  if (exchange === undefined) return "";
  const message = messagesOf(exchange).findLast((candidate) => field(candidate, "role") === "user");
  return textOf(field(message, "content"));
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

/** A field of something that may be no object. */
function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
