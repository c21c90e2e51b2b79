import type { Finding } from "../wire-problem.ts";
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "./anthropic-request.ts";
import { signThinking } from "./sign-thinking.ts";

const notBlank = /\S/;

/** Roles begin with the user and alternate; no message and no text is empty or blank; a block stands where its role may have it. */
export function checkContents(messages: readonly AnthropicMessage[]): Finding | undefined {
  for (const [index, message] of messages.entries()) {
    const finding = checkRole(message, index) ?? checkContent(message, index);
    if (finding !== undefined) return finding;
  }
  return checkLastText(messages);
}

function checkRole(message: AnthropicMessage, index: number): Finding | undefined {
  const expected = index % 2 === 0 ? "user" : "assistant";
  if (message.role === expected) return undefined;
  return index === 0
    ? { path: ["messages", 0, "role"], message: "the first message must use the user role" }
    : {
        path: ["messages", index, "role"],
        message: `roles must alternate between user and assistant, but found ${message.role} twice in a row`,
      };
}

function checkContent(message: AnthropicMessage, index: number): Finding | undefined {
  const path = ["messages", index];
  if (message.content.length === 0) return { path, message: "messages must have non-empty content" };
  if (typeof message.content === "string") {
    return notBlank.test(message.content) ? undefined : { path, message: blankText };
  }
  for (const [at, block] of message.content.entries()) {
    const problem = checkBlock(block, message.role);
    if (problem !== undefined) return { path: [...path, "content", at], message: problem };
  }
  return undefined;
}

function checkBlock(block: AnthropicBlock, role: AnthropicMessage["role"]): string | undefined {
  switch (block.type) {
    case "text":
      return checkTextBlock(block);
    case "thinking":
    case "redacted_thinking":
    case "tool_use":
    case "server_tool_use":
      return role === "user" ? misplaced(block, "assistant") : undefined;
    case "tool_result":
      return role === "assistant" ? misplaced(block, "user") : checkResult(block);
    case "image":
    case "document":
    case "container_upload":
      return role === "assistant" ? misplaced(block, "user") : undefined;
    default:
      return role === "user" ? misplaced(block, "assistant") : undefined;
  }
}

const blankText = "text content blocks must contain non-whitespace text";

function checkTextBlock(block: { readonly text: string; readonly cache_control?: unknown }): string | undefined {
  return notBlank.test(block.text) ? undefined : blankText;
}

function misplaced(block: AnthropicBlock, role: string): string {
  return `\`${block.type}\` blocks can only be in \`${role}\` messages`;
}

/** Thinking comes back as this server signed it. */
export function checkSignatures(messages: readonly AnthropicMessage[]): Finding | undefined {
  for (const [index, { content }] of messages.entries()) {
    const blocks = typeof content === "string" ? [] : content;
    const at = blocks.findIndex(
      (block) => block.type === "thinking" && signThinking(block.thinking) !== block.signature,
    );
    if (at >= 0) return { path: ["messages", index, "content", at], message: forged };
  }
  return undefined;
}

const forged = "Invalid `signature` in `thinking` block: it must come back as it was sent, with the text unchanged";

function checkResult(block: Extract<AnthropicBlock, { type: "tool_result" }>): string | undefined {
  const { content = "", is_error: isError = false } = block;
  if (isError && content.length === 0) return "content cannot be empty if `is_error` is true";
  if (typeof content === "string") return undefined;
  if (isError && content.some((part) => part.type !== "text")) return "all content must be text if `is_error` is true";
  return content.some((part) => part.type === "text" && !notBlank.test(part.text)) ? blankText : undefined;
}

/** The vendor continues from a last assistant message, and refuses one that ends in white space. */
function checkLastText(messages: readonly AnthropicMessage[]): Finding | undefined {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return undefined;
  const block = typeof last.content === "string" ? last.content : last.content.at(-1);
  const text = typeof block === "string" ? block : block?.type === "text" ? block.text : "";
  if (!/\s$/.test(text)) return undefined;
  return {
    path: ["messages", messages.length - 1],
    message: "final assistant content cannot end with trailing whitespace",
  };
}

/** The system prompt, when written as blocks, follows the rule for texts. */
export function checkSystem(system: AnthropicRequest["system"]): Finding | undefined {
  if (system === undefined || typeof system === "string") return undefined;
  const at = system.findIndex((block) => !notBlank.test(block.text));
  return at < 0 ? undefined : { path: ["system", at], message: blankText };
}
