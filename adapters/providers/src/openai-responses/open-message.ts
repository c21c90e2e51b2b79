import type { AssistantBlock, JsonObject, JsonValue } from "@capstan/protocol";
import type { ItemState, OpenItem } from "./arriving-item.ts";
import { limits } from "../limits.ts";
import { isTooDeep, listOf, objectOf, textOf } from "../shared/json-fields.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { hasRoom } from "../shared/stream/tool-calls.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { SettlingText } from "./settling-text.ts";

interface OpenPart {
  readonly text: SettlingText;
  citations: readonly JsonValue[];
  refused: boolean;
}

/** What the model says to people, in parts: texts with their citations, or why it declines. */
export function openMessage(start: JsonObject, parts: PartBuffer): OpenItem {
  const content: Map<number, OpenPart> = new Map();
  let phase = "";
  const partAt = (index: JsonValue | undefined): OpenPart => {
    const place = typeof index === "number" && hasRoom(content.size) ? index : 0;
    const part = content.get(place) ?? { text: new SettlingText(), citations: [], refused: false };
    content.set(place, part);
    return part;
  };
  const takePart = (index: JsonValue | undefined, value: JsonObject | undefined, state: ItemState): void => {
    if (value === undefined) return;
    const part = partAt(index);
    const text = textOf(value["text"]) || textOf(value["refusal"]);
    part.refused ||= value["type"] === "refusal";
    parts.text(state === "begun" ? part.text.begin(text) : part.text.settle(text));
    const citations = listOf(value["annotations"]);
    if (citations.length > 0) part.citations = citations.slice(0, limits.blocks);
  };
  return {
    type: "message",
    id: textOf(start["id"]),
    get refused() {
      return [...content.values()].some((part) => part.refused);
    },
    apply: (name, event) => {
      const at = event["content_index"];
      switch (name) {
        case "output_text.delta":
          parts.text(partAt(at).text.add(textOf(event["delta"])));
          return true;
        case "refusal.delta":
          partAt(at).refused = true;
          parts.text(partAt(at).text.add(textOf(event["delta"])));
          return true;
        case "output_text.done":
          takePart(at, { text: event["text"] ?? "" }, "whole");
          return true;
        case "refusal.done":
          takePart(at, { type: "refusal", refusal: event["refusal"] ?? "" }, "whole");
          return true;
        case "output_text.annotation.added":
          if (hasRoom(partAt(at).citations.length))
            partAt(at).citations = [...partAt(at).citations, event["annotation"] ?? null];
          return true;
        case "content_part.added":
          takePart(at, objectOf(event["part"]), "begun");
          return true;
        case "content_part.done":
          takePart(at, objectOf(event["part"]), "whole");
          return true;
        default:
          return false;
      }
    },
    take: (item, state) => {
      phase = textOf(item["phase"]) || phase;
      if (typeof item["content"] === "string") takePart(0, { text: item["content"] }, state);
      listOf(item["content"]).forEach((part, index) => takePart(index, objectOf(part), state));
    },
    end: () => {
      for (const part of content.values()) parts.text(part.text.end());
    },
    toBlocks: () =>
      [...content.entries()]
        .toSorted(([a], [b]) => a - b)
        .filter(([, part]) => part.text.text !== "")
        .map(([, part]) => textBlock(part, phase)),
  };
}

/** The phase (`commentary`, `final_answer`) is the vendor's mark on a text: later models want it back. */
function textBlock(part: OpenPart, phase: string): AssistantBlock {
  const citations = part.citations.filter((citation) => !isTooDeep(citation));
  return {
    type: "text",
    text: part.text.text,
    ...(citations.length === 0 ? {} : { citations }),
    ...(phase === "" ? {} : { signature: wellFormed(phase) }),
  };
}
