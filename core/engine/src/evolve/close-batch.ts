import { batchResults } from "../projection/conversation.ts";
import type { SessionState } from "../operation/state.ts";

/** Puts the results of the open batch, in call order, into the conversation. */
export function closeBatch(state: SessionState): SessionState {
  const { operation } = state;
  if (operation.type !== "tool-loop" && operation.type !== "recovery") return state;
  return { ...state, conversation: [...state.conversation, batchResults(operation.batch)] };
}
