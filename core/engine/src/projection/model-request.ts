import type { Message, ModelRequest } from "@capstan/protocol";
import type { SessionState } from "../operation/state.ts";
import { conversation } from "./conversation.ts";

/** What one model call is asked now: a function of the journal alone, so that its prefix stays the same from step to step. */
export function modelRequest(state: SessionState): ModelRequest {
  const { config } = state;
  return {
    system: config?.systemPrompt ?? "",
    messages: askable(conversation(state), state),
    tools: config?.tools ?? [],
    maxOutputTokens: config?.model.maxOutputTokens ?? 1,
  };
}

/** A request ends with the user's word; only a paused answer is sent back as it stands, for the vendor to go on with. */
function askable(messages: readonly Message[], { operation }: SessionState): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role === "user") return messages;
  if (last !== undefined && operation.type === "streaming") return messages;
  return [...messages, { role: "user", content: [{ type: "text", text: "(continue)" }] }];
}
