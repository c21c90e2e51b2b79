import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { type Prompt, unmarkedPart } from "../../cache/prompt.ts";
import { nameOf, objects, textOf } from "../read-fields.ts";
import type { RequestFacts } from "../wire.ts";

/** What the server needs of a Chat Completions request, whatever the body holds. */
export function readChatRequest(body: unknown): RequestFacts {
  const request = isJsonObject(body) ? body : {};
  const messages = objects(request["messages"]);
  const options = request["stream_options"];
  const names = callNames(messages);
  return {
    streams: request["stream"] === true,
    wantsUsage: isJsonObject(options) && options["include_usage"] === true,
    model: typeof request["model"] === "string" ? request["model"] : "unknown",
    lastUserText: textOf(messages.findLast((message) => message["role"] === "user")?.["content"]),
    toolResults: lastResults(messages).map((message) => ({
      name: names.get(message["tool_call_id"]),
      isError: undefined,
      content: textOf(message["content"]),
    })),
    tools: objects(request["tools"]).map((tool) => nameOf(tool["function"])),
  };
}

/** What the model reads: tools, then messages. */
export function chatPrompt(body: unknown, model: string): Prompt {
  const request = isJsonObject(body) ? body : {};
  const parts = [...objects(request["tools"]), ...objects(request["messages"])];
  return { model, keeping: "automatic", parts: parts.map((part) => unmarkedPart("", part)) };
}

/** The run of tool messages after the last assistant message; a user message may follow them. */
function lastResults(messages: readonly JsonObject[]): readonly JsonObject[] {
  const last = messages.findLastIndex((message) => message["role"] === "assistant");
  return messages.slice(last + 1).filter((message) => message["role"] === "tool");
}

function callNames(messages: readonly JsonObject[]): ReadonlyMap<unknown, string> {
  const calls = messages.flatMap((message) => objects(message["tool_calls"]));
  return new Map(calls.map((call) => [call["id"], nameOf(call["function"])]));
}
