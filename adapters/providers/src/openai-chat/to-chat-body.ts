import type { JsonObject, ModelRequest, ModelSettings, ToolDefinition } from "@capstan/protocol";
import { extraBody } from "../shared/request/extra-body.ts";
import { limits } from "../limits.ts";
import { joinJson, type MessageCache } from "../shared/request/message-cache.ts";
import { textOption } from "../shared/request/model-option.ts";
import { isBlank } from "../shared/request/placeholder.ts";
import { toStrictSchema } from "../shared/request/strict-schema.ts";
import { madeOnce } from "../shared/request/tool-forms.ts";
import { type MediaRoom, understoodMedia } from "../shared/request/understood-media.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { type ChatDialect, readChatDialect } from "./chat-dialect.ts";
import { type ChatStyle, toChatMessages } from "./chat-message.ts";

/**
 * A request as Chat Completions servers take it. Total: any conversation has a body.
 * Options: those of `ChatDialect`, `reasoning_effort`, `verbosity`, `body`.
 */
export function toChatBody(request: ModelRequest, model: ModelSettings): JsonObject {
  const dialect = readChatDialect(model);
  const style = styleOf(model, dialect);
  const messages = understoodMedia(request.messages, model, mediaRoom).flatMap((message) =>
    toChatMessages(message, style),
  );
  return { ...headOf(request, model, dialect), messages: [...systemOf(request, dialect), ...messages] };
}

/** The JSON of the same body; messages already sent are not turned into JSON again. */
export function chatBodyText(request: ModelRequest, model: ModelSettings, cache: MessageCache): string {
  const dialect = readChatDialect(model);
  const style = styleOf(model, dialect);
  const variant = JSON.stringify(style);
  const system = joinJson(systemOf(request, dialect));
  const messages = understoodMedia(request.messages, model, mediaRoom).map((message) =>
    cache.json(message, variant, () => toChatMessages(message, style)),
  );
  const all = (system === "" ? messages : [system, ...messages]).join(",");
  return `${JSON.stringify(headOf(request, model, dialect)).slice(0, -1)},"messages":[${all}]}`;
}

const mediaRoom: MediaRoom = { imageChars: limits.openAiMediaChars, fileChars: limits.openAiMediaChars };

function headOf(request: ModelRequest, model: ModelSettings, dialect: ChatDialect): JsonObject {
  const effort = textOption(model, "reasoning_effort");
  const verbosity = textOption(model, "verbosity");
  return {
    model: wellFormed(model.id),
    stream: true,
    ...(dialect.streamUsage ? { stream_options: { include_usage: true } } : {}),
    [dialect.maxTokensField]: Math.max(1, Math.floor(request.maxOutputTokens)),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(verbosity === undefined ? {} : { verbosity }),
    ...(request.tools.length === 0 ? {} : toolFields(request.tools, dialect)),
    ...extraBody(model),
  };
}

function toolFields(tools: readonly ToolDefinition[], dialect: ChatDialect): JsonObject {
  const { toolChoice, parallelToolCalls } = dialect;
  return {
    tools: tools.map((tool) => toTool(tool, dialect.strictTools)),
    ...(toolChoice === undefined ? {} : { tool_choice: toolChoice }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function systemOf(request: ModelRequest, dialect: ChatDialect): readonly JsonObject[] {
  return isBlank(request.system) ? [] : [{ role: dialect.systemRole, content: wellFormed(request.system) }];
}

function styleOf(model: ModelSettings, { callIds, echo }: ChatDialect): ChatStyle {
  return { provider: model.provider, model: model.id, callIds, echo };
}

/** A tool whose schema strict mode cannot express is offered as it is, beside strict ones. */
const toTool = madeOnce((tool, strict): JsonObject => {
  const schema: JsonObject = { type: "object", ...wellFormedObject(tool.inputSchema) };
  const strictSchema = strict ? toStrictSchema(schema) : undefined;
  return {
    type: "function",
    function: {
      name: wellFormed(tool.name),
      ...(isBlank(tool.description) ? {} : { description: wellFormed(tool.description) }),
      parameters: strictSchema ?? schema,
      ...(strictSchema === undefined ? {} : { strict: true }),
    },
  };
});
