import {
  type AssistantMessage,
  type JsonObject,
  type Message,
  type ToolCallBlock,
  unreachable,
  type UserContent,
  type UserMessage,
} from "@capstan/protocol";
import { describeMedia, emptyPlaceholder, isBlank, type Media, textOfMedia } from "../shared/request/placeholder.ts";
import { wireCallId, wireToolName } from "../shared/request/wire-names.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";

/** OpenAI refuses longer ids in Chat Completions. */
const callIdChars = 40;

/** How one message is to be written. */
export interface ChatStyle {
  /** Name of the provider the request goes to. */
  readonly provider: string;
  /** The field in which the server wants its own thinking back; `undefined`: it does not. */
  readonly echoField: string | undefined;
}

/** The wire's messages for one of ours: tool results are messages of their own. Never empty, never throws. */
export function toChatMessages(message: Message, style: ChatStyle): readonly JsonObject[] {
  return message.role === "user" ? userMessages(message) : [assistantMessage(message, style)];
}

function userMessages(message: UserMessage): readonly JsonObject[] {
  const results = message.content.flatMap((block) =>
    block.type !== "tool-result"
      ? []
      : [
          {
            role: "tool",
            tool_call_id: wireCallId(block.callId, callIdChars),
            content: isBlank(block.content) ? emptyPlaceholder : wellFormed(block.content),
          },
        ],
  );
  const content = message.content.flatMap((block) => (block.type === "tool-result" ? [] : toParts(block)));
  if (content.length > 0) return [...results, { role: "user", content: simplest(content) }];
  return results.length > 0 ? results : [{ role: "user", content: emptyPlaceholder }];
}

function toParts(block: UserContent): readonly JsonObject[] {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? [] : [textPart(wellFormed(block.text))];
    case "media":
      return [toMediaPart(block)];
    default:
      return unreachable(block);
  }
}

function toMediaPart(media: Media): JsonObject {
  const mediaType = media.mediaType.toLowerCase();
  const text = textOfMedia(media);
  if (text !== undefined && !isBlank(text)) return textPart(text);
  if (media.data === "") return textPart(describeMedia(media));
  const url = `data:${mediaType};base64,${media.data}`;
  if (mediaType.startsWith("image/")) return { type: "image_url", image_url: { url } };
  if (mediaType === "application/pdf") {
    return { type: "file", file: { filename: wellFormed(media.name ?? "document.pdf"), file_data: url } };
  }
  const audio = /^audio\/(?:x-)?(wav|mp3|mpeg)$/.exec(mediaType)?.[1];
  if (audio === undefined) return textPart(describeMedia(media));
  return { type: "input_audio", input_audio: { data: media.data, format: audio === "wav" ? "wav" : "mp3" } };
}

function textPart(text: string): JsonObject {
  return { type: "text", text };
}

/** Many compatible servers take content as a plain text only. */
function simplest(parts: readonly JsonObject[]): string | readonly JsonObject[] {
  const texts = parts.flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : []));
  return texts.length === parts.length ? texts.join("\n\n") : parts;
}

function assistantMessage(message: AssistantMessage, style: ChatStyle): JsonObject {
  const { content } = message;
  // Text that a vendor cut into several blocks, around citations, is one text.
  const text = wellFormed(content.map((block) => (block.type === "text" ? block.text : "")).join(""));
  const calls = content.filter((block) => block.type === "tool-call").map(toToolCall);
  const instead = calls.length > 0 ? null : emptyPlaceholder;
  return {
    role: "assistant",
    content: isBlank(text) ? instead : text,
    ...echo(message, style),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function toToolCall(block: ToolCallBlock): JsonObject {
  // Servers parse the arguments of old calls again, and fail on malformed ones; the call's result says what was wrong.
  const value = block.arguments.type === "json" ? block.arguments.value : {};
  return {
    id: wireCallId(block.callId, callIdChars),
    type: "function",
    function: { name: wireToolName(block.name), arguments: JSON.stringify(wellFormedObject(value)) },
  };
}

function echo(message: AssistantMessage, style: ChatStyle): JsonObject {
  const own = message.origin.wire === "openai-chat" && message.origin.provider === style.provider;
  if (style.echoField === undefined || !own) return {};
  const thinking = message.content.map((block) => (block.type === "thinking" ? block.text : "")).join("");
  return thinking === "" ? {} : { [style.echoField]: wellFormed(thinking) };
}
