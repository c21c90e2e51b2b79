import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { nameOf, objects, textOf } from "../read-fields.ts";
import type { ReceivedResult, RequestFacts } from "../wire.ts";

/** What the server needs of a Messages request, whatever the body holds. */
export function readAnthropicRequest(body: unknown): RequestFacts {
  const request = isJsonObject(body) ? body : {};
  const messages = objects(request["messages"]);
  const last = messages.findLast((message) => message["role"] === "user");
  const names = callNames(messages);
  return {
    streams: request["stream"] === true,
    wantsUsage: true,
    model: typeof request["model"] === "string" ? request["model"] : "unknown",
    lastUserText: textOf(last?.["content"]),
    toolResults: resultsOf(last?.["content"], names),
    tools: objects(request["tools"]).map((tool) => nameOf(tool)),
  };
}

function resultsOf(content: unknown, names: ReadonlyMap<unknown, string>): readonly ReceivedResult[] {
  return objects(content).flatMap((block) =>
    block["type"] === "tool_result"
      ? [
          {
            name: names.get(block["tool_use_id"]),
            isError: block["is_error"] === true,
            content: textOf(block["content"]),
          },
        ]
      : [],
  );
}

function callNames(messages: readonly JsonObject[]): ReadonlyMap<unknown, string> {
  const calls = messages.flatMap((message) => objects(message["content"]));
  return new Map(calls.flatMap((block) => (block["type"] === "tool_use" ? [[block["id"], nameOf(block)]] : [])));
}
