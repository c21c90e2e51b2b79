import type { JsonObject } from "@capstan/protocol";
import type { OpenItem } from "./arriving-item.ts";
import { isTooDeep, textOf } from "../shared/json-fields.ts";
import type { PartBuffer } from "../shared/stream/part-buffer.ts";
import { wellFormedObject } from "../shared/well-formed.ts";
import { openCall } from "./open-call.ts";
import { openMessage } from "./open-message.ts";
import { openReasoning } from "./open-reasoning.ts";

/**
 * Opens an item; what it already holds has to be given to it.
 * @param callIndex  how many tool calls came before
 */
export function openItem(item: JsonObject, callIndex: number, parts: PartBuffer): OpenItem {
  switch (item["type"]) {
    case "message":
      return openMessage(item, parts);
    case "reasoning":
      return openReasoning(item, parts);
    case "function_call":
    case "custom_tool_call":
      return openCall(item, callIndex, parts);
    default:
      return openProviderItem(item, parts);
  }
}

/** An item of the vendor's own, such as a search it made: kept raw. Its deltas say nothing that the finished item does not. */
function openProviderItem(start: JsonObject, parts: PartBuffer): OpenItem {
  const type = textOf(start["type"]);
  let kept: JsonObject | undefined;
  return {
    type,
    id: textOf(start["id"]),
    apply: () => true,
    take: (item) => {
      kept = item;
    },
    end: () => {
      if (kept === undefined || !isTooDeep(kept)) return;
      // Everything later walks it recursively; people at least see that there was something.
      parts.unknown(type, kept, JSON.stringify(kept));
      kept = undefined;
    },
    toBlocks: () => (kept === undefined ? [] : [{ type: "provider-item", item: wellFormedObject(kept) }]),
  };
}
