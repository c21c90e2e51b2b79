import type { AssistantBlock, JsonObject, JsonValue } from "@capstan/protocol";
import { isTooDeep, listOf, objectOf, parseObject, textOf } from "../shared/json-fields.ts";
import { DeltaText } from "../shared/stream/delta-text.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom, type OpenToolCall, toToolCallBlock } from "../shared/stream/tool-calls.ts";
import { wellFormed, wellFormedObject } from "../shared/well-formed.ts";

/** What a delta did to a block: it fits, it contradicts the block's type, or nobody knows it. */
type DeltaVerdict = "applied" | "wrong-type" | "unknown";

/** Deltas that carry an answer's content: lost in a block of another type, they would leave a hole. */
const contentDeltas: ReadonlySet<string> = new Set(["text_delta", "input_json_delta", "thinking_delta"]);

/** A content block while it arrives. */
export interface OpenBlock {
  readonly call?: OpenToolCall;
  apply(type: string, delta: JsonObject): DeltaVerdict;
  /** The vendor says the block is whole. Returns what is wrong with it, if anything. */
  close(): string | undefined;
  /** `undefined`: there is nothing in it to keep. */
  toBlock(): AssistantBlock | undefined;
}

/**
 * Opens a block of the Messages wire. Whatever content the start already holds is handed on like a first delta.
 * @param callIndex  how many tool calls came before
 */
export function openBlock(start: JsonObject, callIndex: number, parts: PartBuffer): OpenBlock {
  switch (start["type"]) {
    case "text":
      return openText(start, parts);
    case "thinking":
      return openThinking(start, parts);
    case "redacted_thinking":
      return openRedacted(textOf(start["data"]));
    case "tool_use":
      return openToolUse(start, callIndex, parts);
    default:
      return openProviderItem(start, parts);
  }
}

function openText(start: JsonObject, parts: PartBuffer): OpenBlock {
  const text = new DeltaText();
  const citations: JsonValue[] = Array.isArray(start["citations"]) ? [...start["citations"]] : [];
  parts.text(text.add(textOf(start["text"])));
  return {
    apply: (type, delta) => {
      if (type === "text_delta") parts.text(text.add(textOf(delta["text"])));
      else if (type !== "citations_delta") return misplaced(type);
      else if (hasRoom(citations.length)) citations.push(delta["citation"] ?? null);
      return "applied";
    },
    close: () => {
      parts.text(text.end());
      return citations.some((citation) => isTooDeep(citation)) ? "a citation nests too deeply" : undefined;
    },
    toBlock: () => {
      if (text.text === "") return undefined;
      return { type: "text", text: text.text, ...(citations.length === 0 ? {} : { citations }) };
    },
  };
}

function openThinking(start: JsonObject, parts: PartBuffer): OpenBlock {
  const text = new DeltaText();
  let signature = textOf(start["signature"]);
  parts.thinking(text.add(textOf(start["thinking"])));
  return {
    apply: (type, delta) => {
      if (type === "thinking_delta") parts.thinking(text.add(textOf(delta["thinking"])));
      else if (type === "signature_delta") signature = textOf(delta["signature"]);
      else return misplaced(type);
      return "applied";
    },
    close: () => {
      parts.thinking(text.end());
      return undefined;
    },
    toBlock: () => {
      if (text.text === "" && signature === "") return undefined;
      return { type: "thinking", text: text.text, ...(signature === "" ? {} : { signature }) };
    },
  };
}

function openRedacted(data: string): OpenBlock {
  return {
    apply: (type) => misplaced(type),
    close: () => undefined,
    toBlock: () => (data === "" ? undefined : { type: "thinking", text: "", redacted: data }),
  };
}

function openToolUse(start: JsonObject, callIndex: number, parts: PartBuffer): OpenBlock {
  const call: OpenToolCall = {
    index: callIndex,
    id: textOf(start["id"]),
    name: textOf(start["name"]),
    arguments: new DeltaText(),
  };
  const shownName = wellFormed(call.name);
  const given = objectOf(start["input"]) ?? {};
  return {
    call,
    apply: (type, delta) => {
      if (type !== "input_json_delta") return misplaced(type);
      parts.toolArguments(callIndex, shownName, call.arguments.add(textOf(delta["partial_json"])));
      return "applied";
    },
    close: () => {
      // Some servers send the whole input with the start, and no delta.
      const whole = call.arguments.text === "" && Object.keys(given).length > 0;
      if (whole && isTooDeep(given)) return "a call's input nests too deeply";
      parts.toolArguments(callIndex, shownName, whole ? call.arguments.add(JSON.stringify(given)) : "");
      parts.toolArguments(callIndex, shownName, call.arguments.end());
      return undefined;
    },
    toBlock: () => {
      const marks = callMarks(start);
      return { ...toToolCallBlock(call), ...(marks === undefined ? {} : { signature: marks }) };
    },
  };
}

/**
 * What the vendor wants back with a call beside its name and input, as JSON text: which of its own tools made the call, and
 * the set the function is from. `undefined` for the usual call, which the model made itself.
 */
function callMarks(start: JsonObject): string | undefined {
  const caller = objectOf(start["caller"]);
  const toolset = textOf(start["toolset_name"]);
  const marks: JsonObject = {
    ...(caller === undefined || caller["type"] === "direct" || isTooDeep(caller) ? {} : { caller }),
    ...(toolset === "" ? {} : { toolset_name: toolset }),
  };
  return Object.keys(marks).length === 0 ? undefined : JSON.stringify(wellFormedObject(marks));
}

/** A block of the vendor's own: kept raw, and completed by whatever its deltas add. */
function openProviderItem(start: JsonObject, parts: PartBuffer): OpenBlock {
  const added = new Map<string, JsonValue>();
  let input = "";
  const append = (key: string, value: JsonValue): void => {
    const before = added.get(key) ?? start[key];
    added.set(key, typeof value === "string" && typeof before === "string" ? before + value : value);
  };
  return {
    apply: (type, delta) => {
      if (type === "input_json_delta") input += textOf(delta["partial_json"]);
      else if (type === "citations_delta") {
        const before = listOf(added.get("citations") ?? start["citations"]);
        if (hasRoom(before.length)) added.set("citations", [...before, delta["citation"] ?? null]);
      } else {
        for (const [key, value] of Object.entries(delta)) if (key !== "type") append(key, value);
      }
      return "applied";
    },
    close: () => {
      if (input.trim() !== "") {
        const value = parseObject(input);
        // As happens when the limit of the answer cuts it: nobody here was to act on it.
        if (value === undefined) parts.unknown(`${textOf(start["type"])} input`, input, input);
        added.set("input", value ?? {});
      }
      const deep = isTooDeep(start) || [...added.values()].some((value) => isTooDeep(value));
      return deep ? `a ${textOf(start["type"])} block nests too deeply` : undefined;
    },
    toBlock: () => ({ type: "provider-item", item: wellFormedObject({ ...start, ...Object.fromEntries(added) }) }),
  };
}

function misplaced(type: string): DeltaVerdict {
  return contentDeltas.has(type) ? "wrong-type" : "unknown";
}
