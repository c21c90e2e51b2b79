import type { AssistantBlock, JsonObject } from "@capstan/protocol";
import type { NamedCall } from "../shared/stream/tool-calls.ts";

export type ItemState = "begun" | "whole";

/** An output item while it arrives. */
export interface OpenItem {
  readonly type: string;
  /** The vendor's id of the item; some proxies give it another one in every event. */
  readonly id: string;
  readonly call?: NamedCall;
  /** True once the model declined to answer in it. */
  readonly refused?: boolean;
  /** Takes an event of this item, named without `response.`; false: nobody knows it. */
  apply(name: string, event: JsonObject): boolean;
  /** Takes the item itself, which is either only begun, or whole and then the truth. */
  take(item: JsonObject, state: ItemState): void;
  /** Nothing more comes. */
  end(): void;
  toBlocks(): readonly AssistantBlock[];
}
