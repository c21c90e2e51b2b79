import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { type Prompt, unmarkedPart } from "../../cache/prompt.ts";
import { nameOf, objects, textOf } from "../read-fields.ts";
import type { RequestFacts } from "../wire.ts";

/** What the server needs of a Responses request, whatever the body holds. */
export function readResponsesRequest(body: unknown): RequestFacts {
  const request = isJsonObject(body) ? body : {};
  const items = itemsOf(request["input"]);
  const names = new Map(items.flatMap((item) => (isCall(item) ? [[item["call_id"], nameOf(item)] as const] : [])));
  return {
    streams: request["stream"] === true,
    wantsUsage: true,
    model: typeof request["model"] === "string" ? request["model"] : "unknown",
    lastUserText: textOf(items.findLast((item) => item["role"] === "user")?.["content"]),
    toolResults: lastResults(items).map((item) => ({
      name: names.get(item["call_id"]),
      isError: undefined,
      content: textOf(item["output"]),
    })),
    tools: objects(request["tools"]).map(nameOf),
    customTools: objects(request["tools"])
      .filter((tool) => tool["type"] === "custom")
      .map(nameOf),
  };
}

/** What the model reads: tools, instructions, then the items. */
export function responsesPrompt(body: unknown, model: string): Prompt {
  const request = isJsonObject(body) ? body : {};
  const parts = [...objects(request["tools"]), request["instructions"] ?? "", ...itemsOf(request["input"])];
  return { model, keeping: "automatic", parts: parts.map((part) => unmarkedPart("", part)) };
}

function itemsOf(input: unknown): readonly JsonObject[] {
  return typeof input === "string" ? [{ role: "user", content: input }] : objects(input);
}

/** The run of results after the last thing the model said; a user message may follow them. */
function lastResults(items: readonly JsonObject[]): readonly JsonObject[] {
  const last = items.findLastIndex(
    (item) => item["role"] === "assistant" || isCall(item) || item["type"] === "reasoning",
  );
  return items.slice(last + 1).filter(isResult);
}

function isCall(item: JsonObject): boolean {
  return item["type"] === "function_call" || item["type"] === "custom_tool_call";
}

function isResult(item: JsonObject): boolean {
  return item["type"] === "function_call_output" || item["type"] === "custom_tool_call_output";
}
