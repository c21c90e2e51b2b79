import { isJsonObject, unreachable } from "@capstan/protocol";
import type { Finding } from "../wire-problem.ts";
import type { ChatAssistantMessage, ChatMessage, ChatPart, ChatRequest } from "./chat-request.ts";

/** Instructions stand first, then a user message; nothing is empty, and nobody speaks twice in a row. */
export function checkMessages(messages: readonly ChatMessage[]): Finding | undefined {
  const start = messages.findIndex((message) => !isInstruction(message));
  if (start < 0) return { path: ["messages"], message: "expected a user message" };
  for (const [index, message] of messages.entries()) {
    const finding = checkPlace(messages, index, start) ?? checkContent(message, index);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

function isInstruction(message: ChatMessage): boolean {
  return message.role === "system" || message.role === "developer";
}

function checkPlace(messages: readonly ChatMessage[], index: number, start: number): Finding | undefined {
  const message = messages[index];
  const previous = messages[index - 1];
  if (message === undefined || index < start) return undefined;
  const path = ["messages", index, "role"];
  if (isInstruction(message)) return { path, message: `'${message.role}' messages must come first` };
  if (index === start && message.role === "assistant")
    return { path, message: "the conversation must begin with a user message" };
  if (index > start && message.role !== "tool" && previous?.role === message.role) {
    return { path, message: `two '${message.role}' messages in a row: join them` };
  }
  return undefined;
}

function checkContent(message: ChatMessage, index: number): Finding | undefined {
  const path = ["messages", index, "content"];
  switch (message.role) {
    case "developer":
    case "system":
    case "user":
      return isEmpty(message.content) ? { path, message: "expected non-empty content" } : undefined;
    case "assistant":
      return checkAssistant(message, index);
    case "tool":
      return undefined;
    default:
      return unreachable(message);
  }
}

function checkAssistant(message: ChatAssistantMessage, index: number): Finding | undefined {
  const path = ["messages", index];
  const { content = null, tool_calls: calls } = message;
  if (calls === undefined && content === null && !message.refusal) {
    return {
      path: [...path, "content"],
      message: "expected a string, got null: only a message with tool_calls may have no content",
    };
  }
  if (calls === undefined && content !== null && isEmpty(content)) {
    return { path: [...path, "content"], message: "expected non-empty content" };
  }
  const broken = (calls ?? []).findIndex((call) => !isObjectText(call.function.arguments));
  if (broken < 0) return undefined;
  return {
    path: [...path, "tool_calls", broken, "function", "arguments"],
    message: "expected the text of a JSON object",
  };
}

function isEmpty(content: string | readonly ChatPart[]): boolean {
  if (typeof content === "string") return content === "";
  return content.some((part) => part.type === "text" && part.text === "");
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Every tool call is answered by exactly one tool message right after, and no tool message stands alone. */
export function checkPairs(messages: readonly ChatMessage[]): Finding | undefined {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id)) return orphan(message.tool_call_id, index);
      continue;
    }
    if (open.size > 0) return unanswered(open, index);
    const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    for (const [at, call] of calls.entries()) {
      if (seen.has(call.id)) {
        return { path: ["messages", index, "tool_calls", at, "id"], message: `duplicate tool call id '${call.id}'` };
      }
      seen.add(call.id);
    }
    open = new Set(calls.map((call) => call.id));
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function orphan(id: string, index: number): Finding {
  return {
    path: ["messages", index, "tool_call_id"],
    message: `messages with role 'tool' must be a response to a preceding message with 'tool_calls'; '${id}' answers none`,
  };
}

function unanswered(open: ReadonlySet<string>, index: number): Finding {
  return {
    path: ["messages", index],
    message: `an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. Without response: ${[...open].join(", ")}`,
  };
}

/** Settings that only make sense together. */
export function checkSettings(request: ChatRequest): Finding | undefined {
  const names = (request.tools ?? []).map((tool) => tool.function.name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated >= 0) return { path: ["tools", repeated, "function", "name"], message: "tool names must be unique" };
  const choice = request.tool_choice;
  if (names.length === 0 && choice !== undefined && choice !== "none") {
    return { path: ["tool_choice"], message: "only allowed when 'tools' are specified" };
  }
  if (typeof choice === "object" && !names.includes(choice.function.name)) {
    return { path: ["tool_choice"], message: `tool '${choice.function.name}' is not among 'tools'` };
  }
  if (names.length === 0 && request.parallel_tool_calls !== undefined) {
    return { path: ["parallel_tool_calls"], message: "only allowed when 'tools' are specified" };
  }
  if (request.stream_options && request.stream !== true) {
    return { path: ["stream_options"], message: "only allowed when 'stream' is enabled" };
  }
  if (typeof request.max_tokens === "number" && typeof request.max_completion_tokens === "number") {
    return { path: ["max_tokens"], message: "not supported together with 'max_completion_tokens'" };
  }
  return undefined;
}
