import type { JsonObject, Message, ModelRequest, ModelSettings } from "@capstan/protocol";
import { extraBody } from "../shared/request/extra-body.ts";
import { limits } from "../limits.ts";
import type { MessageCache } from "../shared/request/message-cache.ts";
import { isBlank } from "../shared/request/placeholder.ts";
import { type MediaRoom, understoodMedia } from "../shared/request/understood-media.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { type GoogleStyle, toGoogleContent } from "./google-message.ts";
import { googleModel } from "./google-model.ts";
import { thinkingFields } from "./google-thinking.ts";
import { toolFields } from "./google-tools.ts";

/** The parts of a request, so that a cached prefix can stand for some of them. Contents are JSON. */
export interface GoogleRequest {
  /** What stays the same for a whole session: system instruction and tools. */
  readonly prompt: JsonObject;
  readonly generation: JsonObject;
  readonly contents: readonly string[];
}

/** A request as `generateContent` takes it. Total: any conversation has a body. */
export function toGoogleBody(request: ModelRequest, model: ModelSettings): JsonObject {
  const contents = styledMessages(request, model).map(({ message, style }) => toGoogleContent(message, style));
  return { ...promptOf(request, model), ...generationOf(request, model), contents };
}

/** The parts of the same body; messages already sent are not turned into JSON again. */
export function toGoogleRequest(request: ModelRequest, model: ModelSettings, cache: MessageCache): GoogleRequest {
  const contents = styledMessages(request, model).map(({ message, style }) =>
    cache.json(message, variantOf(message, style), () => [toGoogleContent(message, style)]),
  );
  return { prompt: promptOf(request, model), generation: generationOf(request, model), contents };
}

/** The JSON of a body from its parts. */
export function googleBodyText(head: JsonObject, contents: readonly string[]): string {
  return `${JSON.stringify(head).slice(0, -1)},"contents":[${contents.join(",")}]}`;
}

/** System instruction and tools as JSON text; also what a cached content is made of. */
function promptOf(request: ModelRequest, model: ModelSettings): JsonObject {
  return {
    ...(isBlank(request.system) ? {} : { systemInstruction: { parts: [{ text: wellFormed(request.system) }] } }),
    ...toolFields(request.tools, model),
  };
}

function generationOf(request: ModelRequest, model: ModelSettings): JsonObject {
  const maxOutputTokens = Math.max(1, Math.floor(request.maxOutputTokens));
  return { generationConfig: { maxOutputTokens, ...thinkingFields(model) }, ...extraBody(model) };
}

const mediaRoom: MediaRoom = { imageChars: limits.googleMediaChars, fileChars: limits.googleMediaChars };

interface StyledMessage {
  readonly message: Message;
  readonly style: GoogleStyle;
}

function styledMessages(request: ModelRequest, model: ModelSettings): readonly StyledMessage[] {
  const messages = withUserLast(understoodMedia(request.messages, model, mediaRoom));
  const { needsSignatures } = googleModel(model.id);
  return messages.map((message, at) => ({
    message,
    style: { provider: model.provider, needsSignatures, callNames: callNames(messages[at - 1]) },
  }));
}

function callNames(message: Message | undefined): ReadonlyMap<string, string> {
  if (message?.role !== "assistant") return noNames;
  return new Map(
    message.content.flatMap((block) => (block.type === "tool-call" ? [[block.callId, block.name] as const] : [])),
  );
}

const noNames: ReadonlyMap<string, string> = new Map();

/** Whatever of the style a message's JSON depends on. */
function variantOf(message: Message, style: GoogleStyle): string {
  if (message.role === "assistant") return JSON.stringify([style.provider, style.needsSignatures]);
  const results = message.content.flatMap((block) => (block.type === "tool-result" ? [block.callId] : []));
  return JSON.stringify(results.map((id) => style.callNames.get(id) ?? ""));
}

/** The vendor answers people only: a request that ends with the model's words is refused by many models. */
function withUserLast(messages: readonly Message[]): readonly Message[] {
  return messages.at(-1)?.role === "user" ? messages : [...messages, continueMessage];
}

const continueMessage: Message = { role: "user", content: [{ type: "text", text: "Continue." }] };
