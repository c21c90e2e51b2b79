import type { AssistantBlock, JsonObject } from "@capstan/protocol";
import type { OpenItem } from "./arriving-item.ts";
import { limits } from "../limits.ts";
import { textOf } from "../shared/json-fields.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { type NamedCall, toToolCallBlock } from "../shared/stream/tool-calls.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { callMarks } from "./responses-echo.ts";
import { SettlingText } from "./settling-text.ts";

/** A call of a tool. Custom calls bring free text in place of arguments: it is the call's `input`, unless it is a JSON object itself. */
export function openCall(start: JsonObject, callIndex: number, parts: PartBuffer): OpenItem {
  const type = textOf(start["type"]);
  const call = { id: "", name: "", arguments: new SettlingText() };
  let unfinished = false;
  let marks: string | undefined;
  const show = (delta: string): void => parts.toolArguments(callIndex, wellFormed(call.name), delta);
  return {
    type,
    id: textOf(start["id"]),
    call,
    apply: (name, event) => {
      switch (name) {
        case "function_call_arguments.delta":
        case "custom_tool_call_input.delta":
          show(call.arguments.add(textOf(event["delta"])));
          return true;
        case "function_call_arguments.done":
        case "custom_tool_call_input.done":
          call.name = textOf(event["name"]) || call.name;
          show(call.arguments.settle(argumentsOf(event)));
          return true;
        default:
          return false;
      }
    },
    take: (item, state) => {
      call.id = textOf(item["call_id"]) || call.id;
      call.name = textOf(item["name"]) || call.name;
      unfinished = item["status"] === "incomplete";
      marks = callMarks(item) ?? marks;
      const text = argumentsOf(item);
      show(state === "begun" ? call.arguments.begin(text) : call.arguments.settle(text));
    },
    end: () => {
      call.id ||= textOf(start["id"]);
      show(call.arguments.end());
    },
    toBlocks: () => {
      const read = type === "custom_tool_call" ? customCall(call) : toToolCallBlock(call);
      const block = { ...read, ...(marks === undefined ? {} : { signature: marks }) };
      return [unfinished ? unfinishedBlock(block, call.arguments.text) : block];
    },
  };
}

/** Some servers write a function's arguments into a custom call. */
function customCall(call: NamedCall): AssistantBlock {
  const block = toToolCallBlock(call);
  const { text } = call.arguments;
  if (block.type !== "tool-call" || (block.arguments.type === "json" && text.trimStart().startsWith("{"))) return block;
  return { ...block, arguments: { type: "json", value: { input: wellFormed(text) } }, freeform: true };
}

/** Arguments that happen to be valid JSON although the model was cut off could mean something else than it wanted. */
function unfinishedBlock(block: AssistantBlock, text: string): AssistantBlock {
  if (block.type !== "tool-call" || block.arguments.type === "malformed") return block;
  const problem = "the call was cut off before its end";
  return { ...block, arguments: { type: "malformed", text: text.slice(0, limits.malformedChars), problem } };
}

/** Compatible servers send arguments as an object, too. */
function argumentsOf(value: JsonObject): string {
  const given = value["arguments"] ?? value["input"] ?? "";
  return typeof given === "string" ? given : JSON.stringify(given);
}
