import { maxStopPushes, type Moment } from "@capstan/hook-points";
import { askHooks } from "./ask-hooks.ts";
import {
  type AssistantMessage,
  type FinishReason,
  type JournalRecord,
  type ModelFinish,
  modelNamed,
} from "@capstan/protocol";
import { costOf, unreachable } from "@capstan/protocol";
import { inOurWords, uniqueCallIds } from "@capstan/wording";
import { openBatch } from "./tool-loop/open-batch.ts";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import { openTurnOf, type SessionState } from "@capstan/session";
import { maxPausesPerTurn } from "../limits.ts";
import { endTurn, type TurnEnd, wholeTurn } from "./end-turn.ts";
import { makeRoom } from "./make-room.ts";
import { startStep } from "./start-step.ts";
import { isSteered } from "./steer-turn.ts";

/** Takes the model's whole answer: its calls open a batch, else the turn ends as the finish reason says. */
export function completeStep(state: SessionState, finish: ModelFinish): Decision {
  const { operation } = state;
  if (operation.type !== "streaming") return nothing;
  const model = state.config === null ? undefined : modelNamed(state.config, operation.step.model);
  const said = inOurWords(withoutEmptyText(finish.message), model);
  const message = uniqueCallIds(said, operation.step.stepId, state.conversation);
  const completed: JournalRecord = {
    type: "step-completed",
    stepId: operation.step.stepId,
    message,
    reason: finish.reason,
    usage: finish.usage,
    costUsd: costOf(finish.usage, model?.prices),
    ...(finish.responseId === undefined ? {} : { responseId: finish.responseId }),
  };
  if (message.content.some((block) => block.type === "tool-call")) {
    return andThen(state, decision([completed]), (next) => openBatch(next, finish.reason, state.repeated));
  }
  if (finish.reason === "pause") return andThen(state, decision([completed]), afterPause);
  const notices = [
    ...(finish.reason === "other" ? [oddEnd(finish.rawReason)] : []),
    ...(saysNothing(message) && isPlainEnd(finish.reason) ? [emptyAnswer(message)] : []),
  ];
  const mayShorten = finish.reason === "length" && !operation.turn.overflowed;
  return andThen(
    state,
    decision([completed, ...notices]),
    (next) => (mayShorten ? afterFullWindow(next) : null) ?? afterAnswer(next, finish.reason),
  );
}

/** The window was full before the answer was whole: with a shorter conversation the model continues it. `null`: it was the answer's own limit. */
function afterFullWindow(state: SessionState): Decision | null {
  const turn = openTurnOf(state);
  if (turn?.overflowed !== true || state.config === null) return null;
  return makeRoom(state, turn, modelNamed(state.config, turn.model), "overflow");
}

/** Words that came meanwhile are read before the turn ends, unless it ends badly. */
function afterAnswer(state: SessionState, reason: FinishReason): Decision {
  const end = turnEnd(state, reason);
  const isWhole = end.outcome === "done" || end.outcome === "proposed" || end.outcome === "tool-denied";
  if (!isWhole) return endTurn(state, end);
  return isSteered(state) ? startStep(state) : (askHooks(state, stopMoments(state)) ?? endTurn(state, end));
}

/** Hooks may push the model on, and not forever. */
function stopMoments(state: SessionState): readonly Moment[] {
  const { config, hooks } = state;
  if ((hooks?.pushes ?? 0) >= maxStopPushes) return [];
  const name = config?.agent?.name;
  const key = `Stop:${openTurnOf(state)?.steps ?? 0}`;
  return [name === undefined ? { event: "Stop", key } : { event: "SubagentStop", key, names: [name], facts: { name } }];
}

/** A paused answer is sent back as it is, for the vendor to continue with. */
function afterPause(state: SessionState): Decision {
  const turn = openTurnOf(state);
  if (turn === null || turn.steps - turn.batches <= maxPausesPerTurn) return startStep(state);
  return endTurn(state, { outcome: "limit-reached", message: `the model paused more than ${maxPausesPerTurn} times` });
}

function saysNothing({ content }: AssistantMessage): boolean {
  return content.every((block) => block.type === "thinking" || (block.type === "text" && block.text.trim() === ""));
}

/** Ends that give no other reason for an answer of nothing. */
function isPlainEnd(reason: FinishReason): boolean {
  return reason === "stop" || reason === "tool-calls" || reason === "other";
}

function emptyAnswer({ content }: AssistantMessage): JournalRecord {
  const text =
    content.length === 0
      ? "The model ended its answer without a word. Ask again, or say what you expect."
      : "The model thought, and ended its answer without a word. Ask again, or say what you expect.";
  return { type: "notice", level: "warning", code: "provider.empty-answer", text };
}

/** Vendors send empty text blocks now and then, and refuse to read them back. */
function withoutEmptyText(message: AssistantMessage): AssistantMessage {
  return { ...message, content: message.content.filter((block) => block.type !== "text" || block.text !== "") };
}

function turnEnd(state: SessionState, reason: FinishReason): TurnEnd {
  switch (reason) {
    case "length":
      return { outcome: "limit-reached", message: "the answer was cut off at the model's output limit" };
    case "refusal":
      return { outcome: "error", message: "the model refused to answer" };
    case "content-filter":
      return { outcome: "error", message: "the vendor's content filter stopped the answer" };
    case "stop":
    case "tool-calls":
    case "pause":
    case "other":
      return wholeTurn(state);
    default:
      return unreachable(reason);
  }
}

function oddEnd(rawReason: string | undefined): JournalRecord {
  const text = `The model stopped for a reason that is not known here (${rawReason ?? "none given"}); its answer may be incomplete.`;
  return { type: "notice", level: "warning", code: "provider.unknown-finish", text };
}
