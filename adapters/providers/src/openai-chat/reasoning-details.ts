import type { AssistantBlock, JsonObject, JsonValue } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { isTooDeep, listOf, objectOf, textOf } from "../shared/json-fields.ts";
import { wellFormedObject } from "../shared/well-formed.ts";

const itemType = "reasoning_details";
/** Texts of a detail that arrive in pieces; what is encrypted or signed arrives whole. */
const growing = ["text", "summary"] as const;

/**
 * The details of one answer's reasoning (OpenRouter, MiniMax), put together from the stream as a whole answer has them: some are
 * encrypted or signed, and the vendor wants all of them back as they were.
 * @see https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
export class ReasoningDetails {
  private readonly details: Record<string, JsonValue>[] = [];

  add(pieces: JsonValue | undefined): void {
    for (const piece of listOf(pieces)) {
      const detail = objectOf(piece);
      if (detail === undefined || isTooDeep(detail) || this.extend(detail)) continue;
      if (this.details.length < limits.blocks) this.details.push({ ...detail });
    }
  }

  /** The block to keep; none where nothing would be missed. */
  blocks(): readonly AssistantBlock[] {
    if (this.details.length === 0) return [];
    return [{ type: "provider-item", item: { type: itemType, reasoning_details: this.details.map(wellFormedObject) } }];
  }

  /** Takes a piece that continues with the last detail. */
  private extend(piece: JsonObject): boolean {
    const last = this.details.at(-1);
    if (last === undefined || !continuesDetail(last, piece)) return false;
    for (const [name, value] of Object.entries(piece)) {
      const before = last[name];
      const grows = growing.some((word) => word === name) && typeof before === "string";
      if (grows) last[name] = before + textOf(value);
      else if (value !== null) last[name] = value;
    }
    return true;
  }
}

/** The field with the details of an answer. */
export function echoedDetails(content: readonly AssistantBlock[]): JsonObject {
  const details = content.flatMap((block) =>
    block.type === "provider-item" && block.item["type"] === itemType ? listOf(block.item["reasoning_details"]) : [],
  );
  return details.length === 0 ? {} : { reasoning_details: details };
}

function continuesDetail(last: JsonObject, piece: JsonObject): boolean {
  const type = textOf(last["type"]);
  if (type !== textOf(piece["type"]) || !/\.(text|summary)$/.test(type)) return false;
  // A signature closes its text: what follows is another one.
  if (textOf(last["signature"]) !== "" && growing.some((name) => textOf(piece[name]) !== "")) return false;
  return same(last, piece, "index") && same(last, piece, "id");
}

function same(last: JsonObject, piece: JsonObject, name: string): boolean {
  const [before, after] = [last[name] ?? null, piece[name] ?? null];
  return before === null || after === null || before === after;
}
