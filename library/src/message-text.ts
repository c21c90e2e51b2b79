import type { AssistantMessage } from "@capstan/protocol";

/** What the model said in a message, without its calls. */
export function textOf({ content }: AssistantMessage): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}
