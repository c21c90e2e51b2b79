import type { Message, UserContent } from "@capstan/protocol";

/** Plain text as a user's content. */
export function words(text: string): readonly UserContent[] {
  return [{ type: "text", text }];
}

/** A user message of plain text. */
export function userSays(...texts: readonly string[]): Message {
  return { role: "user", content: texts.map((text) => ({ type: "text", text })) };
}

/** A user message of results: [call, tool, content], and `true` for an error. */
export function results(...items: readonly (readonly [string, string, string, boolean?])[]): unknown {
  return {
    role: "user",
    content: items.map(([callId, toolName, content, isError = false]) => ({
      type: "tool-result",
      callId,
      toolName,
      content,
      isError,
    })),
  };
}
