import { isJsonObject } from "@capstan/protocol";
import type { Finding } from "../wire-problem.ts";
import type { InputItem, InputPart, MessageItem, ResponsesRequest } from "./responses-request.ts";

type Items = readonly InputItem[];

/** Nothing is empty, arguments are JSON, and there is something to answer. */
export function checkContent(items: Items): Finding | undefined {
  for (const [index, item] of items.entries()) {
    const finding = checkItem(item, ["input", index]);
    if (finding !== undefined) return finding;
  }
  const spoken = items.some((item) => item.type !== "message" || item.role !== "assistant");
  return spoken ? undefined : { path: ["input"], message: "expected something to answer" };
}

function checkItem(item: InputItem, path: readonly PropertyKey[]): Finding | undefined {
  switch (item.type) {
    case "message":
      return checkMessage(item, path);
    case "function_call":
      if (isObjectText(item.arguments ?? "")) return undefined;
      return { path: [...path, "arguments"], message: "expected the text of a JSON object" };
    case "function_call_output":
    case "custom_tool_call_output":
    case "custom_tool_call":
    case "reasoning":
    case "item_reference":
      return undefined;
    default:
      return undefined;
  }
}

function checkMessage({ content }: MessageItem, path: readonly PropertyKey[]): Finding | undefined {
  if (typeof content === "string") {
    return content === "" ? { path: [...path, "content"], message: "expected non-empty content" } : undefined;
  }
  const empty = content.findIndex(isEmptyPart);
  return empty < 0 ? undefined : { path: [...path, "content", empty], message: "expected non-empty content" };
}

function isEmptyPart(part: InputPart): boolean {
  return part.text === "" || part.refusal === "";
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Every call is answered exactly once, in the order of the calls, before anybody else speaks; no answer stands alone. */
export function checkPairs(items: Items): Finding | undefined {
  const seen = new Set<string>();
  const open: string[] = [];
  const custom = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (item.type === "function_call" || item.type === "custom_tool_call") {
      if (seen.has(item.call_id)) {
        return { path: ["input", index, "call_id"], message: `duplicate function call id '${item.call_id}'` };
      }
      seen.add(item.call_id);
      if (item.type === "custom_tool_call") custom.add(item.call_id);
      open.push(item.call_id);
    } else if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
      const finding = checkAnswer(item.call_id, open, index);
      if (finding !== undefined) return finding;
      if (custom.has(item.call_id) !== (item.type === "custom_tool_call_output")) return wrongKind(item, index);
      open.shift();
    } else if (item.type === "message" && item.role !== "assistant" && open.length > 0) {
      return unanswered(open);
    }
  }
  return open.length > 0 ? unanswered(open) : undefined;
}

function checkAnswer(id: string, open: readonly string[], index: number): Finding | undefined {
  if (id === open[0]) return undefined;
  const message = open.includes(id)
    ? `function call output '${id}' is out of order: '${open[0]}' was called before`
    : `No tool call found for function call output with call_id ${id}.`;
  return { path: ["input", index, "call_id"], message };
}

/** A custom call is answered as one, and a function as a function. */
function wrongKind({ type, call_id: id }: InputItem & { readonly call_id: string }, index: number): Finding {
  const kind = type === "custom_tool_call_output" ? "custom tool" : "function";
  return {
    path: ["input", index, "type"],
    message: `No ${kind} call found for ${kind} call output with call_id ${id}.`,
  };
}

function unanswered(open: readonly string[]): Finding {
  return { path: ["input"], message: `No tool output found for function call ${open[0]}.` };
}

/** Settings that only make sense together, and what a server that stores nothing cannot know. */
export function checkSettings(request: ResponsesRequest): Finding | undefined {
  if (typeof request.previous_response_id === "string") {
    const message = `Previous response with id '${request.previous_response_id}' not found.`;
    return { path: ["previous_response_id"], message, code: "previous_response_not_found" };
  }
  if (request.conversation != null) return { path: ["conversation"], message: "this server has no conversations" };
  if (request.stream_options && request.stream !== true) {
    return { path: ["stream_options"], message: "only allowed when 'stream' is enabled" };
  }
  return checkTools(request);
}

function checkTools(request: ResponsesRequest): Finding | undefined {
  const names = (request.tools ?? []).map((tool) => tool.name);
  const repeated = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
  if (repeated >= 0) return { path: ["tools", repeated, "name"], message: "tool names must be unique" };
  const choice = request.tool_choice;
  if (names.length === 0 && choice !== undefined && choice !== "none" && choice !== "auto") {
    return { path: ["tool_choice"], message: "only allowed when 'tools' are specified" };
  }
  if (typeof choice === "object" && choice.name !== undefined && !names.includes(choice.name)) {
    return { path: ["tool_choice"], message: `tool '${choice.name}' is not among 'tools'` };
  }
  return undefined;
}
