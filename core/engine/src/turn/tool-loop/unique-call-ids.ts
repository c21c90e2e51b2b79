import { type AssistantMessage, type Message, type StepId, type ToolCallId, toToolCallId } from "@capstan/protocol";
import { maxCallIdCharacters } from "../../limits.ts";
import type { SessionState } from "../../model/state.ts";

/**
 * The message with every call id usable and unique in the session. Some servers count from zero in each answer, or send none;
 * a repeated id would pair a result with the wrong call.
 */
export function uniqueCallIds(state: SessionState, stepId: StepId, message: AssistantMessage): AssistantMessage {
  if (!message.content.some((block) => block.type === "tool-call")) return message;
  const given = new Set<string>();
  const isTaken = (callId: string): boolean =>
    given.has(callId) || state.conversation.some((earlier) => hasCall(earlier, callId));
  const content = message.content.map((block) => {
    if (block.type !== "tool-call") return block;
    const position = given.size + 1;
    const callId = isUsable(block.callId) && !isTaken(block.callId) ? block.callId : freshId(stepId, position, isTaken);
    given.add(callId);
    return callId === block.callId ? block : { ...block, callId };
  });
  return { ...message, content };
}

function hasCall(message: Message, callId: string): boolean {
  return (
    message.role === "assistant" &&
    message.content.some((block) => block.type === "tool-call" && block.callId === callId)
  );
}

function isUsable(callId: string): boolean {
  return callId.length <= maxCallIdCharacters && /^[\w-]+$/.test(callId);
}

function freshId(stepId: StepId, position: number, isTaken: (callId: string) => boolean): ToolCallId {
  const base = `call_${stepId.replaceAll(/\W/g, "_").slice(-40)}_${position}`;
  let id = base;
  for (let suffix = 2; isTaken(id); suffix += 1) id = `${base}_${suffix}`;
  return toToolCallId(id);
}
