import { createHash } from "node:crypto";
import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type ModelSettings,
  type ToolDefinition,
  type ToolGrammar,
} from "@capstan/protocol";
import { limits } from "../limits.ts";
import { extraBody } from "../shared/request/extra-body.ts";
import { joinJson, type MessageCache } from "../shared/request/message-cache.ts";
import { flagOption, textOption } from "../shared/request/model-option.ts";
import { isBlank } from "../shared/request/placeholder.ts";
import { toStrictSchema } from "../shared/request/strict-schema.ts";
import { madeOnce } from "../shared/request/tool-forms.ts";
import { type MediaRoom, understoodMedia } from "../shared/request/understood-media.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";
import { toInputItems } from "./responses-input.ts";

/** Models of OpenAI that do not reason, and refuse every field about it. */
const unreasoning = /^(ft:)?(gpt-[34]|chatgpt|gpt-5(\.\d+)?-chat)/;

/**
 * A request as the Responses API takes it. Total: any conversation has a body.
 * Options: `system_role`, `reasoning`, `reasoning_effort`, `reasoning_summary`, `verbosity`, `truncation`, `strict_tools`,
 * `prompt_cache_key`, `tool_choice`, `parallel_tool_calls`, `body`.
 */
export function toResponsesBody(request: ModelRequest, model: ModelSettings): JsonObject {
  const input = understoodMedia(request.messages, model, mediaRoom).flatMap((message) =>
    toInputItems(message, model.provider),
  );
  return { ...headOf(request, model), input: [...systemItems(request, model), ...input] };
}

/** The JSON of the same body; messages already sent are not turned into JSON again. */
export function responsesBodyText(request: ModelRequest, model: ModelSettings, cache: MessageCache): string {
  const { provider } = model;
  const input = understoodMedia(request.messages, model, mediaRoom).map((message) =>
    cache.json(message, provider, () => toInputItems(message, provider)),
  );
  const items = [joinJson(systemItems(request, model)), ...input].filter((json) => json !== "");
  return `${JSON.stringify(headOf(request, model)).slice(0, -1)},"input":[${items.join(",")}]}`;
}

const mediaRoom: MediaRoom = { imageChars: limits.openAiMediaChars, fileChars: limits.openAiMediaChars };

function headOf(request: ModelRequest, model: ModelSettings): JsonObject {
  const truncation = textOption(model, "truncation");
  const tools = toolFields(request.tools, model);
  const instructions = instructionsOf(request, model);
  return {
    model: wellFormed(model.id),
    stream: true,
    store: false,
    max_output_tokens: Math.max(limits.responsesOutputTokens, Math.floor(request.maxOutputTokens)),
    ...reasoningFields(model),
    ...(truncation === undefined ? {} : { truncation }),
    ...cacheKey(request, model),
    ...(instructions === undefined ? {} : { instructions }),
    ...tools,
    ...extraBody(model),
  };
}

function reasoningFields(model: ModelSettings): JsonObject {
  const name = model.id.slice(model.id.lastIndexOf("/") + 1).toLowerCase();
  if (!flagOption(model, "reasoning", !unreasoning.test(name))) return {};
  const effort = textOption(model, "reasoning_effort");
  const summary = textOption(model, "reasoning_summary") ?? "auto";
  const verbosity = textOption(model, "verbosity");
  const reasoning = { ...(effort === undefined ? {} : { effort }), ...(summary === "none" ? {} : { summary }) };
  return {
    include: ["reasoning.encrypted_content"],
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    ...(verbosity === undefined ? {} : { text: { verbosity } }),
  };
}

/** Requests with one key meet one cache: those of a session, and of its like. */
function cacheKey({ system, tools }: ModelRequest, model: ModelSettings): JsonObject {
  if (!flagOption(model, "prompt_cache_key", true)) return {};
  const isStrict = flagOption(model, "strict_tools", false);
  const prefix = `[${canonicalJson(system)},[${tools.map((tool) => canonicalTool(tool, isStrict)).join(",")}]]`;
  return { prompt_cache_key: `capstan-${createHash("sha256").update(prefix).digest("hex").slice(0, 32)}` };
}

function instructionsOf(request: ModelRequest, model: ModelSettings): string | undefined {
  if (isBlank(request.system) || textOption(model, "system_role") !== undefined) return undefined;
  return wellFormed(request.system);
}

/** Servers that take no `instructions` get them as a message of the role they want. */
function systemItems(request: ModelRequest, model: ModelSettings): readonly JsonValue[] {
  const role = textOption(model, "system_role");
  if (role === undefined || isBlank(request.system)) return [];
  return [{ type: "message", role, content: wellFormed(request.system) }];
}

function toolFields(tools: readonly ToolDefinition[], model: ModelSettings): JsonObject {
  if (tools.length === 0) return {};
  const strict = flagOption(model, "strict_tools", false);
  return {
    tools: tools.map((tool) => toTool(tool, strict)),
    tool_choice: textOption(model, "tool_choice") ?? "auto",
    parallel_tool_calls: flagOption(model, "parallel_tool_calls", true),
  };
}

/** `strict` is always said: the vendor's default rewrites the schema. */
const toTool = madeOnce((tool, strict): JsonObject => {
  if (tool.freeform !== undefined) return toCustomTool(tool, tool.freeform);
  const schema: JsonObject = { type: "object", ...wellFormedObject(tool.inputSchema) };
  const strictSchema = strict ? toStrictSchema(schema) : undefined;
  return {
    type: "function",
    name: wellFormed(tool.name),
    ...(isBlank(tool.description) ? {} : { description: wellFormed(tool.description) }),
    parameters: strictSchema ?? schema,
    strict: strictSchema !== undefined,
  };
});

const canonicalTool = madeOnce((tool, strict): string => canonicalJson(toTool(tool, strict)));

/** A tool whose only argument the model writes as it is, held to a grammar. */
function toCustomTool({ name, description }: ToolDefinition, { syntax, definition }: ToolGrammar): JsonObject {
  return {
    type: "custom",
    name: wellFormed(name),
    ...(isBlank(description) ? {} : { description: wellFormed(description) }),
    format: { type: "grammar", syntax, definition: wellFormed(definition) },
  };
}
