import type { JsonValue } from "@capstan/protocol";
import { blocksOf, textAt } from "./fields.ts";
import type { Healing } from "./healing.ts";

/** What a call brought, as text: pictures in results become a mark. */
export function resultText(value: JsonValue | undefined, healing: Healing): string {
  const texts = blocksOf(value).map((block) => {
    const text = textAt(block, "text");
    if (text !== "") return text;
    if (block["type"] === "text" || block["type"] === "input_text" || block["type"] === "output_text") return "";
    healing.note("attachments left out (not inline, or too large)");
    return `[${textAt(block, "type") || "something"} that was not imported]`;
  });
  return texts.filter((text) => text !== "").join("\n");
}
