import type { AssistantMessage, JsonObject, JsonValue } from "@capstan/protocol";
import { listOf, objectOf, parseObject, textOf } from "../shared/json-fields.ts";
import { wellFormedObject } from "../shared/well-formed.ts";

/** Items that are calls to the client: without their outcome, which is never there, the vendor refuses the conversation. */
const clientCalls: ReadonlySet<JsonValue | undefined> = new Set([
  "computer_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
  "tool_search_call",
]);

/**
 * What the vendor takes back of the items it makes, beside their type. It says more in an answer, such as the size of an
 * image, and refuses a conversation that says that, too.
 */
const takenFields: Readonly<Record<string, readonly string[]>> = {
  web_search_call: ["id", "status", "action"],
  file_search_call: ["id", "status", "queries", "results"],
  code_interpreter_call: ["id", "status", "code", "container_id", "outputs"],
  image_generation_call: ["id", "status", "result"],
  mcp_list_tools: ["id", "server_label", "tools", "error"],
  mcp_approval_request: ["id", "server_label", "name", "arguments"],
  mcp_call: ["id", "status", "server_label", "name", "arguments", "approval_request_id", "output", "error"],
  compaction: ["id", "encrypted_content"],
  computer_call: ["id", "status", "call_id", "action", "actions", "pending_safety_checks"],
  local_shell_call: ["id", "status", "call_id", "action"],
  shell_call: ["id", "status", "call_id", "action", "environment", "caller"],
  shell_call_output: ["id", "status", "call_id", "output", "max_output_length", "caller"],
  apply_patch_call: ["id", "status", "call_id", "operation", "caller"],
  apply_patch_call_output: ["id", "status", "call_id", "output", "caller"],
  tool_search_call: ["id", "status", "call_id", "arguments", "execution"],
  tool_search_output: ["id", "status", "call_id", "tools", "execution"],
};

/** Of an answer that was cut off: the vendor takes only back what came to an end. */
const unfinished: ReadonlySet<JsonValue | undefined> = new Set([
  "in_progress",
  "incomplete",
  "searching",
  "interpreting",
  "generating",
  "calling",
]);

/**
 * An item of the vendor's own as it goes back; `undefined`: it does not.
 * @param outcomes  ids of the calls whose outcome stands in the same answer
 */
export function echoedItem(item: JsonObject, outcomes: ReadonlySet<JsonValue | undefined>): JsonObject | undefined {
  const type = textOf(item["type"]);
  if (type === "reasoning") return echoedReasoning(item);
  if (type === "" || (clientCalls.has(type) && !outcomes.has(item["call_id"]))) return undefined;
  const taken = takenFields[type];
  if (taken === undefined) return wellFormedObject(item);
  if (unfinished.has(item["status"])) return undefined;
  const kept = Object.entries(item).filter(([key]) => key === "type" || taken.includes(key));
  return wellFormedObject(Object.fromEntries(kept));
}

/** Nothing is stored at the vendor: without its content an item is only a name that nobody knows. */
function echoedReasoning(item: JsonObject): JsonObject | undefined {
  const sealed = textOf(item["encrypted_content"]) !== "" || listOf(item["content"]).length > 0;
  return sealed ? withoutNulls(wellFormedObject(item)) : undefined;
}

/** Compatible servers write `null` where they accept nothing of the kind. */
function withoutNulls(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

/**
 * What the vendor wants back with a call beside its name and arguments, as JSON text: the namespace of the function, and the
 * program that made the call. `undefined` for the usual call, which the model made itself.
 */
export function callMarks(item: JsonObject): string | undefined {
  const namespace = textOf(item["namespace"]);
  const caller = objectOf(item["caller"]);
  const marks: JsonObject = {
    ...(namespace === "" ? {} : { namespace }),
    ...(textOf(caller?.["caller_id"]) === "" ? {} : { caller: caller ?? null }),
  };
  return Object.keys(marks).length === 0 ? undefined : JSON.stringify(wellFormedObject(marks));
}

/** The same marks for the request. The caller only goes back together with the program it names. */
export function echoedCallMarks(marks: string | undefined, message: AssistantMessage): JsonObject {
  const kept = marks === undefined ? undefined : parseObject(marks);
  if (kept === undefined) return {};
  const namespace = textOf(kept["namespace"]);
  const caller = objectOf(kept["caller"]);
  const known = message.content.some(
    (block) => block.type === "provider-item" && block.item["call_id"] === caller?.["caller_id"],
  );
  return {
    ...(namespace === "" ? {} : { namespace }),
    ...(caller !== undefined && known ? { caller } : {}),
  };
}
