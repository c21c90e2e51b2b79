import type { Finding } from "../wire-problem.ts";
import type { InputItem, ReasoningItem, ResponsesRequest } from "./responses-request.ts";
import { anyCall, callMark, checkSeal } from "./seal-reasoning.ts";

/** Reasoning that comes back is whole, from this server, and directly before the item it led to. */
export function checkReasoning(items: readonly InputItem[], request: ResponsesRequest): Finding | undefined {
  for (const [index, item] of items.entries()) {
    const finding = checkItem(item, items[index + 1], request);
    if (finding !== undefined) return { path: ["input", index, ...finding.path], ...withoutPath(finding) };
  }
  return undefined;
}

function withoutPath({ message, code }: Finding): Omit<Finding, "path"> {
  return { message, ...(code !== undefined && { code }) };
}

function checkItem(item: InputItem, next: InputItem | undefined, request: ResponsesRequest): Finding | undefined {
  if (item.type === "item_reference") return notFound(item.id, request);
  if (item.type !== "reasoning") return undefined;
  const sealed = item.encrypted_content ?? "";
  if (sealed === "") return notFound(item.id, request);
  const summary = item.summary.map((part) => part.text).join("\n\n");
  switch (checkSeal(sealed, { id: item.id, summary }, whatFollows(next))) {
    case "known":
      return undefined;
    case "forged":
      return {
        path: ["encrypted_content"],
        message: `The encrypted content for item ${item.id} could not be verified.`,
        code: "invalid_encrypted_content",
      };
    default:
      return lonely(item);
  }
}

function notFound(id: string, { store }: ResponsesRequest): Finding {
  const why = store === false ? " Items are not persisted when `store` is set to false." : "";
  return { path: [], message: `Item with id '${id}' not found.${why}` };
}

function lonely({ id }: ReasoningItem): Finding {
  return { path: [], message: `Item '${id}' of type 'reasoning' was provided without its required following item.` };
}

/** What reasoning may have led to, given the item after it. */
function whatFollows(item: InputItem | undefined): readonly string[] {
  if (item?.type === "function_call" || item?.type === "custom_tool_call") return [callMark(item.name), anyCall];
  if (item?.type !== "message" || item.role !== "assistant") return [];
  if (typeof item.content === "string") return [item.content];
  return [item.content.map((part) => part.text ?? part.refusal ?? "").join("")];
}
