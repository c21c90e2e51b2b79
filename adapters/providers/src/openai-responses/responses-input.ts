import {
  type AssistantBlock,
  type AssistantMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  type ToolCallBlock,
  unreachable,
  type UserMessage,
} from "@capstan/protocol";
import { textOf } from "../shared/json-fields.ts";
import { emptyPlaceholder, isBlank, type Media } from "../shared/request/placeholder.ts";
import { nameOfMedia, type UserForms, userParts } from "../shared/request/user-parts.ts";
import { wireCallId, wireToolName } from "../shared/request/wire-names.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { echoedCallMarks, echoedItem } from "./responses-echo.ts";

/** The vendor refuses longer ids. */
const callIdChars = 64;
const phases: ReadonlySet<string | undefined> = new Set(["commentary", "final_answer"]);
/**
 * The input items for one message. Never throws; an answer of which nothing can be sent has none.
 * @param provider  the one the request goes to: only its own reasoning and items are sent back
 */
export function toInputItems(message: Message, provider: string): readonly JsonObject[] {
  return message.role === "user" ? userItems(message) : assistantItems(message, provider);
}

function userItems(message: UserMessage): readonly JsonObject[] {
  const results = message.content.flatMap((block) =>
    block.type !== "tool-result"
      ? []
      : [
          {
            type: block.freeform === true ? "custom_tool_call_output" : "function_call_output",
            call_id: wireCallId(block.callId, callIdChars),
            output: isBlank(block.content) ? emptyPlaceholder : wellFormed(block.content),
          },
        ],
  );
  const content = message.content.flatMap((block) => (block.type === "tool-result" ? [] : userParts(block, userForms)));
  if (content.length === 0 && results.length > 0) return results;
  return [
    ...results,
    { type: "message", role: "user", content: content.length > 0 ? content : [textPart(emptyPlaceholder)] },
  ];
}

const userForms: UserForms = { text: textPart, media: toMediaPart };

function toMediaPart(media: Media): JsonObject | undefined {
  const { mediaType, data } = media;
  const url = `data:${mediaType};base64,${data}`;
  if (/^image\/(png|jpeg|gif|webp)$/.test(mediaType)) return { type: "input_image", image_url: url, detail: "auto" };
  if (mediaType !== "application/pdf") return undefined;
  return { type: "input_file", filename: nameOfMedia(media) ?? "document.pdf", file_data: url };
}

function textPart(text: string): JsonObject {
  return { type: "input_text", text };
}

function assistantItems(message: AssistantMessage, provider: string): readonly JsonObject[] {
  const own = message.origin.wire === "openai-responses" && message.origin.provider === provider;
  const outcomes = outcomesIn(message);
  const sent: JsonObject[] = [];
  // Reasoning waits for the item it led to: the vendor refuses it alone.
  let reasoning: readonly JsonObject[] = [];
  for (const block of message.content) {
    const item = toItem(block, own, { message, outcomes });
    if (item === undefined) {
      if (!isReasoning(block)) reasoning = [];
    } else if (item["type"] === "reasoning") reasoning = [...reasoning, item];
    else {
      sent.push(...reasoning, item);
      reasoning = [];
    }
  }
  return sent;
}

function isReasoning(block: AssistantBlock): boolean {
  return block.type === "thinking" || (block.type === "provider-item" && block.item["type"] === "reasoning");
}

interface Surroundings {
  readonly message: AssistantMessage;
  readonly outcomes: ReadonlySet<JsonValue | undefined>;
}

function toItem(block: AssistantBlock, own: boolean, { message, outcomes }: Surroundings): JsonObject | undefined {
  switch (block.type) {
    case "text":
      if (isBlank(block.text)) return undefined;
      return {
        type: "message",
        role: "assistant",
        content: wellFormed(block.text),
        ...(own && phases.has(block.signature) ? { phase: block.signature ?? "" } : {}),
      };
    case "thinking":
      // The readable side of a reasoning item; the item itself is what goes back.
      return undefined;
    case "tool-call":
      return { ...toFunctionCall(block), ...(own ? echoedCallMarks(block.signature, message) : {}) };
    case "provider-item":
      return own ? echoedItem(block.item, outcomes) : undefined;
    default:
      return unreachable(block);
  }
}

function toFunctionCall(block: ToolCallBlock): JsonObject {
  if (block.freeform === true) return toCustomCall(block);
  // Malformed arguments are not sent again, since some servers parse them; the call's result says what was wrong.
  const value = block.arguments.type === "json" ? block.arguments.value : {};
  return {
    type: "function_call",
    call_id: wireCallId(block.callId, callIdChars),
    name: wireToolName(block.name),
    arguments: JSON.stringify(wellFormedObject(value)),
  };
}

/** A call whose only argument is a text. */
function toCustomCall({ callId, name, arguments: args }: ToolCallBlock): JsonObject {
  const text = args.type === "json" ? Object.values(args.value).find((value) => typeof value === "string") : args.text;
  return {
    type: "custom_tool_call",
    call_id: wireCallId(callId, callIdChars),
    name: wireToolName(name),
    input: wellFormed(typeof text === "string" ? text : ""),
  };
}

/** Ids of the calls whose outcome stands in the same answer. */
function outcomesIn(message: AssistantMessage): ReadonlySet<JsonValue | undefined> {
  return new Set(
    message.content.flatMap((block) =>
      block.type === "provider-item" && textOf(block.item["type"]).endsWith("_output") ? [block.item["call_id"]] : [],
    ),
  );
}
