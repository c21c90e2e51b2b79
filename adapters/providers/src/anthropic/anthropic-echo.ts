import type { AssistantMessage, JsonObject, JsonValue } from "@capstan/protocol";
import { isList, objectOf, parseObject, textOf } from "../shared/json-fields.ts";

const serverUses: ReadonlySet<JsonValue | undefined> = new Set(["server_tool_use", "mcp_tool_use"]);

/**
 * The ids of the vendor's own tool calls that may not go back: an answer that was cut between a call and its result would
 * be refused forever. One that waits beside calls of ours is run once they are answered, and stays.
 */
export function lostServerCalls(message: AssistantMessage): ReadonlySet<string> {
  if (message.content.some((block) => block.type === "tool-call")) return new Set();
  const items = message.content.flatMap((block) => (block.type === "provider-item" ? [block.item] : []));
  const answered = new Set(items.map((item) => textOf(item["tool_use_id"])));
  return new Set(
    items.flatMap((item) => (isServerCall(item) && !answered.has(textOf(item["id"])) ? [textOf(item["id"])] : [])),
  );
}

export function isServerCall(item: JsonObject): boolean {
  return serverUses.has(item["type"]);
}

/** Citations as the vendor takes them back: it names the file of one that came from a file, and refuses that name. */
export function echoedCitations(citations: readonly JsonValue[]): readonly JsonValue[] {
  return citations.flatMap((item) => {
    const citation = objectOf(item);
    if (citation === undefined) return [];
    const { file_id: _file, ...rest } = citation;
    return [rest];
  });
}

/**
 * The vendor's marks on a call, from the text they are kept as. The caller only goes back together with what it names.
 * @param message  the one the call stands in
 */
export function echoedCallMarks(marks: string | undefined, message: AssistantMessage): JsonObject {
  const kept = marks === undefined ? undefined : parseObject(marks);
  if (kept === undefined) return {};
  const caller = objectOf(kept["caller"]);
  const source = message.content.some(
    (block) => block.type === "provider-item" && isServerCall(block.item) && block.item["id"] === caller?.["tool_id"],
  );
  const toolset = textOf(kept["toolset_name"]);
  return {
    ...(caller !== undefined && source ? { caller } : {}),
    ...(toolset === "" ? {} : { toolset_name: toolset }),
  };
}

/** What the vendor takes back of a run of code, beside its type: it says more, such as why one was stopped. */
const runFields: ReadonlySet<string> = new Set([
  "type",
  "content",
  "return_code",
  "stderr",
  "stdout",
  "encrypted_stdout",
]);

/** A block of the vendor's own as it goes back. The blocks inside a result may carry citations, too. */
export function echoedItem(item: JsonObject): JsonObject {
  const { content } = item;
  const run = objectOf(content);
  if (run !== undefined && textOf(run["type"]).endsWith("code_execution_result")) {
    return { ...item, content: Object.fromEntries(Object.entries(run).filter(([key]) => runFields.has(key))) };
  }
  if (item["type"] !== "mcp_tool_result" || !isList(content)) return item;
  return { ...item, content: content.map(withEchoedCitations) };
}

function withEchoedCitations(value: JsonValue): JsonValue {
  const block = objectOf(value);
  const citations = block?.["citations"];
  return block === undefined || !isList(citations) ? value : { ...block, citations: echoedCitations(citations) };
}
