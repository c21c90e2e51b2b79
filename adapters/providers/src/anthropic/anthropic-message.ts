import {
  type AssistantBlock,
  type AssistantMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  unreachable,
  type UserBlock,
  type UserMessage,
} from "@capstan/protocol";
import { textOf } from "../shared/json-fields.ts";
import { emptyPlaceholder, isBlank, type Media } from "../shared/request/placeholder.ts";
import { nameOfMedia, type UserForms, userParts } from "../shared/request/user-parts.ts";
import { wireCallId, wireToolName } from "../shared/request/wire-names.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { echoedCallMarks, echoedCitations, echoedItem, isServerCall, lostServerCalls } from "./anthropic-echo.ts";

/** The vendor states no limit; 64 is what every model accepts. */
const callIdChars = 64;
const thinkingTypes: ReadonlySet<JsonValue | undefined> = new Set(["thinking", "redacted_thinking"]);
const none: ReadonlySet<string> = new Set();
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Marks the end of a prefix to cache. */
export const cacheControl: JsonObject = { cache_control: { type: "ephemeral" } };

/** How one message is to be written. */
export interface MessageStyle {
  /** Name of the provider the request goes to: only its own thinking and items are sent back. */
  readonly provider: string;
  /** Ends a prefix that the vendor should cache. */
  readonly breakpoint: boolean;
  /** The last message, which must not end in white space when it is the assistant's. */
  readonly last: boolean;
  readonly thinking: boolean;
}

/** One message of the Messages wire. Never empty, never throws. */
export function toAnthropicMessage(message: Message, style: MessageStyle): JsonObject {
  if (message.role === "user") return { role: "user", content: userContent(message, style.breakpoint) };
  return { role: "assistant", content: assistantContent(message, style) };
}

/** Whether thinking of this message's model may go back to `provider`. */
export function isOwnMessage(message: AssistantMessage, provider: string): boolean {
  return message.origin.wire === "anthropic" && message.origin.provider === provider;
}

/** True for the blocks that the wire counts as thinking once they are sent. */
export function isSentThinking(block: AssistantBlock | undefined): boolean {
  return block?.type === "thinking" && ((block.signature ?? "") !== "" || block.redacted !== undefined);
}

function userContent(message: UserMessage, breakpoint: boolean): readonly JsonObject[] {
  const results = message.content.filter((block) => block.type === "tool-result");
  const others = message.content.filter((block) => block.type !== "tool-result");
  const blocks = [...results, ...others].flatMap(toUserBlock);
  if (blocks.length === 0) blocks.push(textBlock(emptyPlaceholder));
  if (!breakpoint) return blocks;
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, ...cacheControl } : block));
}

function toUserBlock(block: UserBlock): readonly JsonObject[] {
  if (block.type !== "tool-result") return userParts(block, userForms);
  return [
    {
      type: "tool_result",
      tool_use_id: wireCallId(block.callId, callIdChars),
      ...(isBlank(block.content) ? {} : { content: wellFormed(block.content) }),
      ...(block.isError ? { is_error: true } : {}),
    },
  ];
}

const userForms: UserForms = { text: textBlock, attachedText: toTextDocument, media: toMediaBlock };

function toTextDocument(text: string, media: Media): JsonObject {
  return { type: "document", source: { type: "text", media_type: "text/plain", data: text }, ...titleOf(media) };
}

function toMediaBlock(media: Media): JsonObject | undefined {
  const { mediaType, data } = media;
  const source = { type: "base64", media_type: mediaType, data };
  if (imageTypes.has(mediaType)) return { type: "image", source };
  return mediaType === "application/pdf" ? { type: "document", source, ...titleOf(media) } : undefined;
}

function titleOf(media: Media): JsonObject {
  const title = nameOfMedia(media);
  return title === undefined ? {} : { title };
}

function assistantContent(message: AssistantMessage, style: MessageStyle): readonly JsonObject[] {
  const own = isOwnMessage(message, style.provider);
  const withoutThinking = !own || (style.last && !style.thinking);
  const lost = style.last ? none : lostServerCalls(message);
  const kept = message.content.filter((block) => !(withoutThinking && block.type === "thinking"));
  const all = kept.flatMap((block) => {
    const isLost = block.type === "provider-item" && isServerCall(block.item) && lost.has(textOf(block.item["id"]));
    return isLost ? [] : toAssistantBlock(block, own, message);
  });
  // The vendor refuses a message that ends in thinking.
  const blocks = all.slice(0, all.findLastIndex((block) => !thinkingTypes.has(block["type"])) + 1);
  return style.last ? withoutTrailingSpace(blocks) : notEmpty(blocks);
}

function toAssistantBlock(block: AssistantBlock, own: boolean, message: AssistantMessage): readonly JsonObject[] {
  switch (block.type) {
    case "text": {
      if (isBlank(block.text)) return [];
      const citations = own && block.citations !== undefined ? { citations: echoedCitations(block.citations) } : {};
      return [{ ...textBlock(block.text), ...wellFormedObject(citations) }];
    }
    case "thinking":
      if (!isSentThinking(block)) return [];
      if (block.redacted !== undefined) return [{ type: "redacted_thinking", data: wellFormed(block.redacted) }];
      return [{ type: "thinking", thinking: wellFormed(block.text), signature: wellFormed(block.signature ?? "") }];
    case "tool-call":
      return [
        {
          type: "tool_use",
          id: wireCallId(block.callId, callIdChars),
          name: wireToolName(block.name),
          // Malformed arguments have no form on this wire; the call's result says what was wrong with them.
          input: block.arguments.type === "json" ? wellFormedObject(block.arguments.value) : {},
          ...(own ? echoedCallMarks(block.signature, message) : {}),
        },
      ];
    case "provider-item":
      return own ? [wellFormedObject(echoedItem(block.item))] : [];
    default:
      return unreachable(block);
  }
}

function textBlock(text: string): JsonObject {
  return { type: "text", text: wellFormed(text) };
}

function notEmpty(blocks: readonly JsonObject[]): readonly JsonObject[] {
  return blocks.length === 0 ? [textBlock(emptyPlaceholder)] : blocks;
}

function withoutTrailingSpace(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const end = blocks.at(-1);
  if (end === undefined || end["type"] !== "text" || typeof end["text"] !== "string") return notEmpty(blocks);
  return [...blocks.slice(0, -1), { ...end, text: end["text"].trimEnd() }];
}
