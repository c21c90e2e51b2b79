import { limits } from "../limits.ts";
import type { Answer } from "../wires/wire.ts";
import type { WireName } from "../wires/wire-name.ts";

/** The thinking that was sent before each tool call. */
export interface CallMemory {
  remember(wire: WireName, answer: Answer): void;
  find(wire: WireName, callId: string): string | undefined;
}

export function createMemory(): CallMemory {
  const thinkingOf = new Map<string, string>();
  return {
    remember(wire, answer) {
      for (const { id } of answer.calls) {
        thinkingOf.delete(memoryKey(wire, id));
        if (answer.thinking !== "") thinkingOf.set(memoryKey(wire, id), answer.thinking);
      }
      for (const oldest of thinkingOf.keys()) {
        if (thinkingOf.size <= limits.rememberedCalls) break;
        thinkingOf.delete(oldest);
      }
    },
    find: (wire, callId) => thinkingOf.get(memoryKey(wire, callId)),
  };
}

function memoryKey(wire: WireName, callId: string): string {
  return `${wire} ${callId}`;
}
