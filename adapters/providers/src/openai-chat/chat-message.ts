import {
  type AssistantMessage,
  type JsonObject,
  type Message,
  readNumberedCallId,
  type ToolCallBlock,
  type UserMessage,
} from "@capstan/protocol";
import { parseObject } from "../shared/json-fields.ts";
import { emptyPlaceholder, isBlank, type Media } from "../shared/request/placeholder.ts";
import { nameOfMedia, type UserForms, userParts } from "../shared/request/user-parts.ts";
import { mistralCallId, wireCallId, wireToolName } from "../shared/request/wire-names.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import type { CallIds, ReasoningEcho } from "./chat-dialect.ts";
import { echoedDetails } from "./reasoning-details.ts";

/** OpenAI refuses longer ids in Chat Completions. */
const callIdChars = 40;

/** How one message is to be written. */
export interface ChatStyle {
  /** Name of the provider the request goes to. */
  readonly provider: string;
  readonly model: string;
  readonly callIds: CallIds;
  readonly echo: ReasoningEcho;
}

/** The wire's messages for one of ours: tool results are messages of their own. Never empty, never throws. */
export function toChatMessages(message: Message, style: ChatStyle): readonly JsonObject[] {
  return message.role === "user" ? userMessages(message, style) : [assistantMessage(message, style)];
}

function userMessages(message: UserMessage, style: ChatStyle): readonly JsonObject[] {
  const results = message.content.flatMap((block) =>
    block.type !== "tool-result"
      ? []
      : [
          {
            role: "tool",
            tool_call_id: callIdFor(block.callId, style),
            content: isBlank(block.content) ? emptyPlaceholder : wellFormed(block.content),
          },
        ],
  );
  const content = message.content.flatMap((block) => (block.type === "tool-result" ? [] : userParts(block, userForms)));
  if (content.length > 0) return [...results, { role: "user", content: simplest(content) }];
  return results.length > 0 ? results : [{ role: "user", content: emptyPlaceholder }];
}

const userForms: UserForms = { text: textPart, media: toMediaPart };

function toMediaPart(media: Media): JsonObject | undefined {
  const { mediaType, data } = media;
  const url = `data:${mediaType};base64,${data}`;
  if (mediaType.startsWith("image/")) return { type: "image_url", image_url: { url } };
  if (mediaType === "application/pdf")
    return { type: "file", file: { filename: nameOfMedia(media) ?? "document.pdf", file_data: url } };
  const audio = /^audio\/(?:x-)?(wav|mp3|mpeg)$/.exec(mediaType)?.[1];
  if (audio === undefined) return undefined;
  return { type: "input_audio", input_audio: { data, format: audio === "wav" ? "wav" : "mp3" } };
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
  const own = message.origin.wire === "openai-chat" && message.origin.provider === style.provider;
  const calls = content.filter((block) => block.type === "tool-call").map((block) => toToolCall(block, style, own));
  const instead = calls.length > 0 ? null : emptyPlaceholder;
  return {
    role: "assistant",
    content: isBlank(text) ? instead : text,
    ...(own || calls.length > 0 ? echoed(message, style, own) : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function toToolCall(block: ToolCallBlock, style: ChatStyle, own: boolean): JsonObject {
  // Servers parse the arguments of old calls again, and fail on malformed ones; the call's result says what was wrong.
  const value = block.arguments.type === "json" ? block.arguments.value : {};
  return {
    id: callIdFor(block.callId, style),
    type: "function",
    function: { name: wireToolName(block.name), arguments: JSON.stringify(wellFormedObject(value)) },
    ...(own && block.signature !== undefined ? { extra_content: extraContent(block.signature) } : {}),
  };
}

function callIdFor(id: string, { callIds }: ChatStyle): string {
  if (callIds === "mistral") return mistralCallId(id);
  // Whoever gave such an id wants it back as it is, also where it is long.
  const keeps = readNumberedCallId(id) !== undefined && (callIds === "numbered" || id.length <= callIdChars);
  return keeps ? id : wireCallId(id, callIdChars);
}

/** Gemini refuses a conversation whose calls come back without the signature they came with. */
function extraContent(signature: string): JsonObject {
  const whole = signature.startsWith("{") ? parseObject(signature) : undefined;
  return whole ?? { google: { thought_signature: wellFormed(signature) } };
}

function echoed(message: AssistantMessage, { model, echo }: ChatStyle, own: boolean): JsonObject {
  const { content, origin } = message;
  const details = echo.details && own && origin.model === model ? echoedDetails(content) : {};
  if (echo.field === undefined) return details;
  const thinking = own ? content.map((block) => (block.type === "thinking" ? block.text : "")).join("") : "";
  const called = content.some((block) => block.type === "tool-call");
  // Servers that want the field with calls refuse the conversation without it, also where nothing was thought.
  const sent = echo.when === "tool-calls" ? called : thinking !== "";
  return sent ? { ...details, [echo.field]: wellFormed(thinking) } : details;
}
