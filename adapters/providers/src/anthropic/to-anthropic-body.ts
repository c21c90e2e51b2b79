import type { JsonObject, JsonValue, Message, ModelRequest, ModelSettings } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { extraBody } from "../shared/request/extra-body.ts";
import { joinJson, type MessageCache } from "../shared/request/message-cache.ts";
import { flagOption } from "../shared/request/model-option.ts";
import { isBlank } from "../shared/request/placeholder.ts";
import { madeOnce } from "../shared/request/tool-forms.ts";
import { understoodMedia } from "../shared/request/understood-media.ts";
import { wireToolName } from "../shared/request/wire-names.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { cacheControl, type MessageStyle, toAnthropicMessage } from "./anthropic-message.ts";
import { thinkingFields } from "./anthropic-thinking.ts";

/** A request as the Messages API takes it. Total: any conversation has a body. */
export function toAnthropicBody(request: ModelRequest, model: ModelSettings): JsonObject {
  const head = headOf(request, model);
  const styles = stylesOf(request, model, head);
  const messages = messagesOf(request, model).map((message, at) => toAnthropicMessage(message, styles(at)));
  return { ...head, messages };
}

/** The JSON of the same body; messages already sent are not turned into JSON again. */
export function anthropicBodyText(request: ModelRequest, model: ModelSettings, cache: MessageCache): string {
  const head = headOf(request, model);
  const styles = stylesOf(request, model, head);
  const messages = messagesOf(request, model).map((message, at) => {
    const style = styles(at);
    const map = (): readonly JsonValue[] => [toAnthropicMessage(message, style)];
    // The few messages that carry a breakpoint, or end the request, will look different next time.
    return style.breakpoint || style.last ? joinJson(map()) : cache.json(message, style.provider, map);
  });
  return `${JSON.stringify(head).slice(0, -1)},"messages":[${messages.join(",")}]}`;
}

function headOf(request: ModelRequest, model: ModelSettings): JsonObject {
  const cached = isCached(model) ? cacheControl : {};
  const tools =
    request.tools.length > 0 ? request.tools.map((tool) => toTool(tool, false)) : toolsOfHistory(request.messages);
  const system = isBlank(request.system) ? [] : [{ type: "text", text: wellFormed(request.system), ...cached }];
  return {
    model: wellFormed(model.id),
    max_tokens: Math.max(1, Math.floor(request.maxOutputTokens)),
    stream: true,
    ...thinkingFields(request, model),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool, at) => (at < tools.length - 1 ? tool : { ...tool, ...cached })) }),
    ...(tools.length > 0 && request.tools.length === 0 ? { tool_choice: { type: "none" } } : {}),
    ...(system.length === 0 ? {} : { system }),
    ...extraBody(model),
  };
}

function messagesOf(request: ModelRequest, model: ModelSettings): readonly Message[] {
  const room = { imageChars: limits.anthropicImageChars, fileChars: limits.anthropicFileChars };
  return understoodMedia(request.messages, model, room);
}

function isCached(model: ModelSettings): boolean {
  return flagOption(model, "cache_enabled", true);
}

const toTool = madeOnce((tool): JsonObject => ({
  name: wellFormed(tool.name),
  ...(isBlank(tool.description) ? {} : { description: wellFormed(tool.description) }),
  input_schema: { type: "object", ...wellFormedObject(tool.inputSchema) },
}));

/** The vendor refuses calls in the history of a request without tools, such as one for a summary. */
function toolsOfHistory(messages: readonly Message[]): readonly JsonObject[] {
  const names = messages.flatMap((message) =>
    message.role === "user"
      ? message.content.flatMap((block) => (block.type === "tool-result" ? [block.toolName] : []))
      : message.content.flatMap((block) => (block.type === "tool-call" ? [block.name] : [])),
  );
  return [...new Set(names.map(wireToolName))].map((name) => ({ name, input_schema: { type: "object" } }));
}

/** Breakpoints: tools, system, and the last two user messages, so that each request re-reads what the one before wrote. */
function stylesOf(request: ModelRequest, model: ModelSettings, head: JsonObject): (at: number) => MessageStyle {
  const taken = (head["tools"] === undefined ? 0 : 1) + (head["system"] === undefined ? 0 : 1);
  const users = request.messages.flatMap((message, at) => (message.role === "user" ? [at] : []));
  const marked = new Set(isCached(model) ? users.slice(-Math.min(2, limits.cacheBreakpoints - taken)) : []);
  const thinking = head["thinking"] !== undefined;
  return (at) => ({
    provider: model.provider,
    breakpoint: marked.has(at),
    last: at === request.messages.length - 1,
    thinking,
  });
}
