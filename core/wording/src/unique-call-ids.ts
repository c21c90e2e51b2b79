import {
  type AssistantMessage,
  type Message,
  readNumberedCallId,
  type StepId,
  type ToolCallId,
  toToolCallId,
} from "@capstan/protocol";
import { maxCallIdCharacters } from "./limits.ts";

/**
 * The message with every call id usable and unique in the session. Some servers count from zero in each answer, or send none;
 * a repeated id would pair a result with the wrong call. Ids that number the session's calls keep their form, because the models
 * that give them were trained on it: a repeated one gets the next number.
 */
export function uniqueCallIds(
  message: AssistantMessage,
  stepId: StepId,
  conversation: readonly Message[],
): AssistantMessage {
  if (!message.content.some((block) => block.type === "tool-call")) return message;
  const given = new Set<string>();
  const isTaken = (callId: string): boolean =>
    given.has(callId) || conversation.some((earlier) => callIdsOf(earlier).includes(callId));
  const idFor = (callId: ToolCallId): ToolCallId => {
    if (isUsable(callId) && !isTaken(callId)) return callId;
    const numbered = readNumberedCallId(callId);
    if (numbered === undefined) return freshId(stepId, given.size + 1, isTaken);
    const earlier = [...conversation.flatMap(callIdsOf), ...given];
    return toToolCallId(`functions.${numbered.name}:${nextNumber(earlier)}`);
  };
  const content = message.content.map((block) => {
    if (block.type !== "tool-call") return block;
    const callId = idFor(block.callId);
    given.add(callId);
    return callId === block.callId ? block : { ...block, callId };
  });
  return { ...message, content };
}

function callIdsOf(message: Message): readonly string[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []));
}

function isUsable(callId: string): boolean {
  if (readNumberedCallId(callId) !== undefined) return true;
  return callId.length <= maxCallIdCharacters && /^[\w-]+$/.test(callId);
}

/** The number after the highest of those given. */
function nextNumber(callIds: readonly string[]): number {
  const numbers = callIds.flatMap((callId) => readNumberedCallId(callId)?.number ?? []);
  return Math.max(-1, ...numbers) + 1;
}

function freshId(stepId: StepId, position: number, isTaken: (callId: string) => boolean): ToolCallId {
  const base = `call_${stepId.replaceAll(/\W/g, "_").slice(-40)}_${position}`;
  let id = base;
  for (let suffix = 2; isTaken(id); suffix += 1) id = `${base}_${suffix}`;
  return toToolCallId(id);
}
