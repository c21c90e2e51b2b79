import {
  type AssistantMessage,
  type FinishReason,
  type JsonObject,
  type JsonValue,
  type ModelSettings,
  type PermissionMode,
  isJsonObject,
  toToolCallId,
  type ToolCallBlock,
  type Usage,
} from "@capstan/protocol";
import { inOurWords, inProfile } from "@capstan/wording";

/** A call in Claude's words. */
export interface ClaudeCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** Whose words calls are put into: no model wrote them, so that each is put into words here. */
const speaker: ModelSettings = {
  provider: "",
  id: "",
  wire: "",
  contextWindowTokens: 0,
  maxOutputTokens: 0,
  toolProfile: "anthropic",
  options: {},
};

/** What has a name of Claude's beyond the tools of its profile. */
const others: Readonly<Record<string, string>> = {
  ask_user: "AskUserQuestion",
  exit_plan_mode: "ExitPlanMode",
  update_plan: "TodoWrite",
  spawn_agent: "Task",
  web_fetch: "WebFetch",
  web_search: "WebSearch",
};

export function claudeToolName(tool: string): string {
  return claudeCall(tool, {}).name;
}

/** One of our calls, as Claude's agent would make it. */
export function claudeCall(tool: string, args: JsonObject): ClaudeCall {
  const other = Object.hasOwn(others, tool) ? others[tool] : undefined;
  if (other !== undefined) return { name: other, input: otherInput(tool, args) };
  const message = messageOf({ tool, args });
  const { messages } = inProfile({ system: "", messages: [message], tools: [], maxOutputTokens: 1 }, speaker);
  const [call] = callsOf(messages[0]?.role === "assistant" ? messages[0] : message);
  return { name: call?.name ?? tool, input: call?.arguments.type === "json" ? call.arguments.value : args };
}

/** The arguments of one of our tools, from a call in Claude's words. */
export function ourArguments(tool: string, { name, input }: ClaudeCall): JsonObject {
  const [call] = callsOf(inOurWords(messageOf({ tool: name, args: input }), speaker));
  if (call?.arguments.type !== "json" || call.name !== tool) return input;
  return call.arguments.value;
}

function messageOf({ tool, args }: { readonly tool: string; readonly args: JsonObject }): AssistantMessage {
  const value = { type: "json", value: args } as const;
  const call: ToolCallBlock = { type: "tool-call", callId: toToolCallId("call"), name: tool, arguments: value };
  return { role: "assistant", origin: { provider: "none", model: "none", wire: "none" }, content: [call] };
}

function callsOf({ content }: AssistantMessage): readonly ToolCallBlock[] {
  return content.flatMap((block) => (block.type === "tool-call" ? [block] : []));
}

function otherInput(tool: string, args: JsonObject): JsonObject {
  if (tool === "update_plan") return { todos: itemsOf(args["plan"]).map(todoOf) };
  if (tool === "spawn_agent")
    return { subagent_type: args["agent"] ?? "", prompt: args["prompt"] ?? "", description: "" };
  if (tool === "ask_user") return { questions: itemsOf(args["questions"]).map(questionOf) };
  return args;
}

function itemsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isJsonObject(item)) : [];
}

function todoOf({ step = "", status = "pending" }: JsonObject): JsonObject {
  return { content: step, status, activeForm: step };
}

/** A question as Claude's clients show it: `header` is a word or two. */
export function questionOf({ question = "", options = [], multiple = false }: JsonObject): JsonObject {
  const choices = itemsOf(options).map(({ label = "", description = "" }) => ({ label, description }));
  return { question, header: "Question", options: choices, multiSelect: multiple === true };
}

/** Our modes in Claude's words. `null`: it has none of that name here. */
export function ourMode(mode: string): PermissionMode | null {
  switch (mode) {
    case "default":
    case "plan":
    case "auto":
      return mode;
    case "acceptEdits":
      return "accept-edits";
    default:
      return null;
  }
}

export function claudeMode(mode: PermissionMode, bypasses: boolean): string {
  if (bypasses && mode !== "plan") return "bypassPermissions";
  return mode === "accept-edits" ? "acceptEdits" : mode;
}

/** Claude counts what was read from a cache, or written to it, apart. */
export function claudeUsage({ inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens }: Usage): JsonObject {
  return {
    input_tokens: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
  };
}

export function stopReason(reason: FinishReason | null): string | null {
  switch (reason) {
    case "stop":
      return "end_turn";
    case "tool-calls":
      return "tool_use";
    case "length":
      return "max_tokens";
    case "content-filter":
    case "refusal":
      return "refusal";
    case "pause":
      return "pause_turn";
    case "other":
    case null:
      return null;
  }
}
