import { type AssistantBlock, toToolCallId } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { wellFormed } from "../well-formed.ts";
import type { DeltaText } from "./delta-text.ts";
import { readToolArguments } from "./tool-arguments.ts";

/** A call as far as its block is concerned. */
export interface NamedCall {
  id: string;
  readonly name: string;
  readonly arguments: { readonly text: string };
  /** The vendor's proof of what was thought before the call. */
  signature?: string;
}

/** A call whose arguments are still arriving. */
export interface OpenToolCall extends NamedCall {
  readonly index: number;
  name: string;
  readonly arguments: DeltaText;
}

/** Names the calls of one answer that came without an id: `call_1`, `call_2`, …, avoiding the ids the vendor gave. */
export function nameCalls(calls: readonly NamedCall[]): void {
  const taken = new Set(calls.map((call) => call.id));
  let next = 1;
  for (const call of calls.filter((open) => open.id === "")) {
    while (taken.has(`call_${next}`)) next += 1;
    call.id = `call_${next}`;
    taken.add(call.id);
  }
}

export function toToolCallBlock(call: NamedCall): AssistantBlock {
  return {
    type: "tool-call",
    callId: toToolCallId(wellFormed(call.id)),
    name: wellFormed(call.name),
    arguments: readToolArguments(call.arguments.text),
    ...(call.signature === undefined ? {} : { signature: wellFormed(call.signature) }),
  };
}

/** True while one more block, call or citation fits. */
export function hasRoom(count: number): boolean {
  return count < limits.blocks;
}
