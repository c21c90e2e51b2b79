import { type AssistantMessage, type StepId, type ToolCallId, toToolCallId } from "@capstan/protocol";
import { maxCallIdCharacters } from "../limits.ts";
import type { SessionState } from "../operation/state.ts";

/**
 * The message with every call id usable and unique in the session. Some servers count from zero in each answer, or send none;
 * a repeated id would pair a result with the wrong call.
 */
export function uniqueCallIds(state: SessionState, stepId: StepId, message: AssistantMessage): AssistantMessage {
  if (!message.content.some((block) => block.type === "tool-call")) return message;
  const taken = new Set<string>(state.conversation.flatMap((earlier) => callIdsOf(earlier.content)));
  let position = 0;
  const content = message.content.map((block) => {
    if (block.type !== "tool-call") return block;
    position += 1;
    const callId = isUsable(block.callId) && !taken.has(block.callId) ? block.callId : freshId(stepId, position, taken);
    taken.add(callId);
    return callId === block.callId ? block : { ...block, callId };
  });
  return { ...message, content };
}

function callIdsOf(blocks: readonly { readonly type: string; readonly callId?: ToolCallId }[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === "tool-call" && block.callId !== undefined ? [block.callId] : []));
}

function isUsable(callId: string): boolean {
  return callId.length <= maxCallIdCharacters && /^[\w-]+$/.test(callId);
}

function freshId(stepId: StepId, position: number, taken: ReadonlySet<string>): ToolCallId {
  const base = `call_${stepId.replaceAll(/\W/g, "_").slice(-40)}_${position}`;
  let id = base;
  for (let suffix = 2; taken.has(id); suffix += 1) id = `${base}_${suffix}`;
  return toToolCallId(id);
}
