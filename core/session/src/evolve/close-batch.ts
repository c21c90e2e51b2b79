import type { Message } from "@capstan/protocol";
import { batchResults } from "../projection/conversation.ts";
import type { SessionState } from "../model/state.ts";
import { appended } from "./growing-lists.ts";

/** Puts the results of the open batch, in call order, into the conversation. */
export function closeBatch(state: SessionState): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" && operation.type !== "recovery") return state;
  return { ...state, conversation: appended<Message>(state.conversation, batchResults(operation.batch)) };
}
