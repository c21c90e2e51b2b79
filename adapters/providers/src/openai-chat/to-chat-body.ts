import type { JsonObject, ModelRequest, ModelSettings, ToolDefinition } from "@capstan/protocol";
import { joinJson, type MessageCache } from "../shared/request/message-cache.ts";
import { flagOption, textOption } from "../shared/request/model-option.ts";
import { isBlank } from "../shared/request/placeholder.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { type ChatStyle, toChatMessages } from "./chat-message.ts";

/**
 * A request as Chat Completions servers take it. Total: any conversation has a body.
 * Options: `system_role`, `max_tokens_field`, `stream_usage`, `strict_tools`, `reasoning_effort`, `verbosity`,
 * `echo_reasoning_field`.
 */
export function toChatBody(request: ModelRequest, model: ModelSettings): JsonObject {
  const style = styleOf(model);
  const messages = request.messages.flatMap((message) => toChatMessages(message, style));
  return { ...headOf(request, model), messages: [...systemOf(request, model), ...messages] };
}

/** The JSON of the same body; messages already sent are not turned into JSON again. */
export function chatBodyText(request: ModelRequest, model: ModelSettings, cache: MessageCache): string {
  const style = styleOf(model);
  const variant = JSON.stringify([style.provider, style.echoField]);
  const system = joinJson(systemOf(request, model));
  const messages = request.messages.map((message) =>
    cache.json(message, variant, () => toChatMessages(message, style)),
  );
  const all = (system === "" ? messages : [system, ...messages]).join(",");
  return `${JSON.stringify(headOf(request, model)).slice(0, -1)},"messages":[${all}]}`;
}

function headOf(request: ModelRequest, model: ModelSettings): JsonObject {
  const effort = textOption(model, "reasoning_effort");
  const verbosity = textOption(model, "verbosity");
  const strict = flagOption(model, "strict_tools", false);
  return {
    model: wellFormed(model.id),
    stream: true,
    ...(flagOption(model, "stream_usage", true) ? { stream_options: { include_usage: true } } : {}),
    [maxTokensField(model)]: Math.max(1, Math.floor(request.maxOutputTokens)),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(verbosity === undefined ? {} : { verbosity }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map((tool) => toTool(tool, strict)) }),
  };
}

/** OpenAI's reasoning models refuse `max_tokens`; most other servers know nothing else. */
function maxTokensField(model: ModelSettings): string {
  return (
    textOption(model, "max_tokens_field") ??
    (model.provider.startsWith("openai") ? "max_completion_tokens" : "max_tokens")
  );
}

function systemOf(request: ModelRequest, model: ModelSettings): readonly JsonObject[] {
  if (isBlank(request.system)) return [];
  return [{ role: textOption(model, "system_role") ?? "system", content: wellFormed(request.system) }];
}

function styleOf(model: ModelSettings): ChatStyle {
  return { provider: model.provider, echoField: textOption(model, "echo_reasoning_field") };
}

function toTool(tool: ToolDefinition, strict: boolean): JsonObject {
  return {
    type: "function",
    function: {
      name: wellFormed(tool.name),
      ...(isBlank(tool.description) ? {} : { description: wellFormed(tool.description) }),
      parameters: { type: "object", ...wellFormedObject(tool.inputSchema) },
      ...(strict ? { strict: true } : {}),
    },
  };
}
