import type { AssistantBlock, JsonObject } from "@capstan/protocol";
import type { OpenItem } from "./arriving-item.ts";
import { isTooDeep, listOf, objectOf, textOf } from "../shared/json-fields.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { type MessagePart, MessageParts, saidIn } from "./message-parts.ts";

/** What the model says to people, in parts: texts with their citations, or why it declines. */
export function openMessage(start: JsonObject, parts: PartBuffer): OpenItem {
  const content = new MessageParts();
  let phase = "";
  let isWhole = false;
  const settle = (name: string, event: JsonObject, value: JsonObject): true => {
    parts.text(content.settle(event["content_index"], value, name));
    return true;
  };
  const add = (event: JsonObject): true => {
    parts.text(content.at(event["content_index"]).text.add(textOf(event["delta"])));
    return true;
  };
  return {
    type: "message",
    id: textOf(start["id"]),
    get refused() {
      return content.inOrder().some((part) => part.refused);
    },
    apply: (name, event) => {
      const at = event["content_index"];
      if (isWhole && /^(output_text|refusal|content_part)\.(delta|done|added)$/.test(name)) return true;
      switch (name) {
        case "output_text.delta":
          return add(event);
        case "refusal.delta":
          content.at(at).refused = true;
          return add(event);
        case "output_text.done":
          return settle(name, event, { text: event["text"] ?? "" });
        case "refusal.done":
          return settle(name, event, { type: "refusal", refusal: event["refusal"] ?? "" });
        case "output_text.annotation.added":
          content.cite(at, event["annotation"] ?? null);
          return true;
        case "content_part.added":
          parts.text(content.begin(at, objectOf(event["part"]) ?? {}));
          return true;
        case "content_part.done":
          return settle(name, event, objectOf(event["part"]) ?? {});
        default:
          return false;
      }
    },
    take: (item, state) => {
      phase = textOf(item["phase"]) || phase;
      const given = typeof item["content"] === "string" ? [{ text: item["content"] }] : listOf(item["content"]);
      const values = given.map(objectOf).filter((value) => value !== undefined);
      const says = values.some((value) => saidIn(value) !== "");
      isWhole ||= state === "whole" && says;
      if (state === "whole" && says) parts.text(content.replace(values));
      else values.forEach((value, index) => parts.text(content.begin(index, value)));
    },
    end: () => {
      for (const part of content.inOrder()) parts.text(part.text.end());
    },
    toBlocks: () =>
      content
        .inOrder()
        .filter((part) => part.text.text !== "")
        .map((part) => textBlock(part, phase)),
  };
}

/** The phase (`commentary`, `final_answer`) is the vendor's mark on a text: later models want it back. */
function textBlock(part: MessagePart, phase: string): AssistantBlock {
  const citations = part.citations.filter((citation) => !isTooDeep(citation));
  return {
    type: "text",
    text: part.text.text,
    ...(citations.length === 0 ? {} : { citations }),
    ...(phase === "" ? {} : { signature: wellFormed(phase) }),
  };
}
