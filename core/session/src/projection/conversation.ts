import type { ConversationPage, Message, ToolOutcome, UserBlock, UserMessage } from "@capstan/protocol";
import { callResult, commandReport, mergedMessages, outcomes } from "@capstan/wording";
import type { Batch, PendingCall, SessionState } from "../model/state.ts";

/**
 * What was said and done, as the model would read it now. Total: a journal cut anywhere gives a conversation in which roles
 * alternate and every call is answered once, in order.
 */
export function conversation(state: SessionState): readonly Message[] {
  return mergedMessages(state, state.conversation, openResults(state));
}

/** The newest `limit` of these messages before the place `before`; `null`: the newest of all. */
export function conversationPage(state: SessionState, before: number | null, limit: number): ConversationPage {
  const all = conversation(state);
  const until = Math.min(before ?? all.length, all.length);
  const from = Math.max(0, until - limit);
  return { messages: all.slice(from, until), from };
}

/** The results of the open batch, as they stand. */
export function openResults({ operation }: SessionState): readonly Message[] {
  return operation.type === "tool-loop" || operation.type === "recovery" ? [batchResults(operation.batch)] : [];
}

/** One user message with every call's result, in call order; a user's own command is reported in words. */
export function batchResults({ calls, edited, isUsers }: Batch): UserMessage {
  const content = calls.map((pending) => {
    const { call } = pending;
    const outcome = outcomeOf(pending);
    return isUsers === true ? commandReport(call, outcome) : callResult(call, outcome, edited.includes(call.callId));
  });
  return { role: "user", content: [...content, ...calls.flatMap(shownMedia)] };
}

/** Pictures stand after all results: no vendor takes anything between them. */
function shownMedia(pending: PendingCall): readonly UserBlock[] {
  const outcome = outcomeOf(pending);
  return outcome.type === "done" ? (outcome.media ?? []) : [];
}

function outcomeOf(pending: PendingCall): ToolOutcome {
  return pending.type === "settled" ? pending.outcome : pending.type === "running" ? outcomes.unknown : outcomes.notRun;
}
