import { betweenTurns, noHooks, withFinished, withoutCall, withStarted } from "@capstan/hook-points";
import { type HookRecord, type JournalRecord, type Message, toToolCallId, userText } from "@capstan/protocol";
import { openTurnOf } from "../model/open-turn-of.ts";
import type { SessionState } from "../model/state.ts";
import { withCall } from "./evolve-tool.ts";
import { appended } from "./growing-lists.ts";

export function evolveHook(state: SessionState, record: HookRecord): SessionState {
  const { hooks = noHooks, operation } = state;
  if (record.type === "hook-started") {
    const begun = { ...state, hooks: withStarted(hooks, record) };
    // The answer is whole: what follows, another step or the turn's end, does not stand in it any more.
    return record.event.endsWith("Stop") && operation.type === "streaming"
      ? { ...begun, operation: { type: "preparing", turn: operation.turn } }
      : begun;
  }
  const run = hooks.open.find(({ runId }) => runId === record.runId);
  if (run === undefined) return state;
  const isOpen = openTurnOf(state)?.turnId === run.turnId;
  const known = { ...state, hooks: withFinished(hooks, run, record, isOpen) };
  return run.callId === undefined || !isOpen ? known : withAnswer(known, run.callId, record.answer);
}

/** What hooks put in place of a call's arguments, or of what the model reads of its end. */
function withAnswer(
  state: SessionState,
  callId: string,
  { arguments: value, result }: Extract<HookRecord, { type: "hook-finished" }>["answer"],
): SessionState {
  return withCall(state, callId, (pending) => {
    if (pending.type === "settled")
      return result === undefined || pending.outcome.type !== "done"
        ? pending
        : { ...pending, outcome: { ...pending.outcome, content: result } };
    if (value === undefined || pending.type === "running" || pending.type === "allowed") return pending;
    const { callId: id, name } = pending.call;
    return {
      type: "new",
      call: { type: "tool-call", callId: toToolCallId(id), name, arguments: { type: "json", value } },
    };
  });
}

/** What other records mean for what hooks said. */
export function withoutStaleWords(state: SessionState, record: JournalRecord): SessionState {
  const { hooks } = state;
  if (hooks === undefined) return state;
  switch (record.type) {
    case "turn-started":
    case "turn-ended":
      return { ...state, hooks: betweenTurns(hooks) };
    case "call-edited":
      return { ...state, hooks: withoutCall(hooks, record.callId) };
    default:
      return state;
  }
}

/** What hooks said stands behind everything that was said before: caches hold. */
export function readHooks(state: SessionState): SessionState {
  const { hooks } = state;
  if (hooks === undefined || hooks.words.length === 0) return state;
  const message: Message = { role: "user", content: userText(hooks.words.join("\n\n")) };
  return { ...state, hooks: { ...hooks, words: [] }, conversation: appended<Message>(state.conversation, message) };
}
