import type { Message } from "@capstan/protocol";

/** All that a message says, calls and results too; what only its vendor can read is left out. */
export function messageText({ content }: Message): string {
  const parts = content.flatMap((block): readonly string[] => {
    switch (block.type) {
      case "text":
        return [block.text];
      case "tool-call":
        return [`[calls ${block.name} ${JSON.stringify(block.arguments)}]`];
      case "tool-result":
        return [`[result of ${block.toolName}] ${block.content}`];
      case "media":
        return [`[${block.name ?? block.mediaType}]`];
      case "thinking":
      case "provider-item":
        return [];
    }
  });
  return parts.join("\n");
}
