import { isJsonObject, type JsonObject } from "@capstan/protocol";
import type { Prompt, PromptPart } from "../../cache/prompt.ts";
import { objects } from "../read-fields.ts";

/**
 * The prompt of a Messages request: tools, system, messages, block by block. Of the settings those that the vendor names as
 * part of what messages are kept under: the choice of a tool, and thinking.
 */
export function anthropicPrompt(body: unknown, model: string): Prompt {
  const request = isJsonObject(body) ? body : {};
  const settings = [request["tool_choice"] ?? null, request["thinking"] ?? null];
  const parts = [
    ...objects(request["tools"]).map((tool) => partOf("tools", tool)),
    ...blocksOf(request["system"]).map((block) => partOf("system", block)),
    ...objects(request["messages"]).flatMap((message, at) =>
      blocksOf(message["content"]).map((block) => partOf(JSON.stringify([...settings, at, message["role"]]), block)),
    ),
  ];
  // The request's own mark stands for one on its last block.
  const lastMarked = isMarked(request);
  return {
    model,
    keeping: "marked",
    parts: parts.map((part, at) => (lastMarked && at === parts.length - 1 ? { ...part, marked: true } : part)),
  };
}

/** A text stands for a block with it. */
function blocksOf(content: unknown): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objects(content);
}

function partOf(place: string, block: JsonObject): PromptPart {
  const nested = block["type"] === "tool_result" ? objects(block["content"]) : [];
  const whole = withoutMark(block);
  const bare = nested.length === 0 ? whole : { ...whole, content: nested.map(withoutMark) };
  return { place, text: JSON.stringify(bare), marked: isMarked(block) || nested.some(isMarked) };
}

function isMarked(block: JsonObject): boolean {
  return isJsonObject(block["cache_control"]);
}

function withoutMark(block: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([name]) => name !== "cache_control"));
}
