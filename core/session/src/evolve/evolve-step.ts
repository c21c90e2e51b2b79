import { readHooks } from "./evolve-hook.ts";
import {
  type AssistantMessage,
  type JournalRecord,
  type Message,
  type StepRecord,
  modelNamed,
} from "@capstan/protocol";
import { addUsage, saysSomething, unreachable } from "@capstan/protocol";
import type { OpenStep, OpenTurn, SessionState } from "../model/state.ts";
import { calibrated } from "../projection/request-size.ts";
import { afterCalls } from "@capstan/policy";
import { openTurnOf } from "../model/open-turn-of.ts";
import { fullShare } from "../limits.ts";
import { appended } from "./growing-lists.ts";
import { closeBatch } from "./close-batch.ts";

type Of<Type extends StepRecord["type"]> = Extract<JournalRecord, { type: Type }>;

export function evolveStep(state: SessionState, record: StepRecord): SessionState {
  switch (record.type) {
    case "step-started":
      return startStep(state, record);
    case "text-delta":
      return withStep(state, record.stepId, (step) => ({ ...step, text: step.text + record.delta }));
    case "thinking-delta":
      return withStep(state, record.stepId, (step) => ({ ...step, thinking: step.thinking + record.delta }));
    case "tool-arguments-delta":
      return state;
    case "step-retrying":
      return retryStep(state, record);
    case "step-completed":
      return completeStep(state, record);
    case "step-abandoned":
      return abandonStep(state, record);
    default:
      return unreachable(record);
  }
}

function startStep(state: SessionState, { stepId, attempt, model }: Of<"step-started">): SessionState {
  const turn = openTurnOf(state);
  if (turn === null) return state;
  const { operation } = state;
  const before = operation.type === "streaming" && operation.step.stepId === stepId ? operation.step : undefined;
  const firstAttempt = before?.model === model ? before.firstAttempt : attempt;
  const step: OpenStep = { stepId, attempt, model, firstAttempt, waiting: false, text: "", thinking: "", oddities: 0 };
  const steps = attempt === 1 ? turn.steps + 1 : turn.steps;
  const read = readSteering(readHooks(closeBatch(state)), turn);
  const replaced = before === undefined || before.model === model ? [] : [before.model];
  const failing = [...new Set([...read.state.failing, ...replaced])];
  return { ...read.state, failing, operation: { type: "streaming", turn: { ...read.turn, model, steps }, step } };
}

/** Words that came meanwhile stand behind everything that was said before: caches hold. */
function readSteering(state: SessionState, turn: OpenTurn): { readonly state: SessionState; readonly turn: OpenTurn } {
  const unread = turn.steering.filter(({ isRead }) => !isRead);
  if (unread.length === 0) return { state, turn };
  const content = unread.flatMap((input) => input.content).filter(saysSomething);
  return {
    state: { ...state, conversation: appended<Message>(state.conversation, { role: "user", content }) },
    turn: { ...turn, steering: turn.steering.map((input) => ({ ...input, isRead: true })) },
  };
}

function retryStep(state: SessionState, { stepId }: Of<"step-retrying">): SessionState {
  const { operation } = state;
  if ((operation.type === "summarizing" || operation.type === "compacting") && operation.stepId === stepId)
    return { ...state, operation: { ...operation, waiting: true } };
  const { background } = state;
  if (background?.stepId === stepId) return { ...state, background: { ...background, waiting: true } };
  return withStep(state, stepId, (step) => ({ ...step, waiting: true, text: "", thinking: "" }));
}

function completeStep(
  state: SessionState,
  { stepId, message, reason, usage, costUsd }: Of<"step-completed">,
): SessionState {
  const { operation } = state;
  if (operation.type !== "streaming" || operation.step.stepId !== stepId) return state;
  const spentTurn = spend(operation.turn, usage.inputTokens + usage.outputTokens, costUsd ?? 0);
  // A whole answer shows that there is room again; one that was cut in a window that is nearly full shows that there is none.
  const isFull = usage.inputTokens + usage.outputTokens >= fullShare * windowOf(state, operation.step.model);
  const overflowed = reason === "length" && (spentTurn.overflowed || isFull);
  const turn: OpenTurn = { ...spentTurn, overflowed };
  const calls = message.content.filter((block) => block.type === "tool-call");
  // The guess is of what was sent: without the answer.
  const calibration = calibrated(state, operation.step.model, usage.inputTokens);
  const conversation =
    message.content.length === 0 ? state.conversation : appended<Message>(state.conversation, message);
  const spent: SessionState = {
    ...state,
    failing: state.failing.filter((name) => name !== operation.step.model),
    conversation,
    measured:
      usage.inputTokens === 0
        ? null
        : {
            model: operation.step.model,
            messages: conversation.length,
            tokens: usage.inputTokens + usage.outputTokens,
          },
    calibration,
    usage: addUsage(state.usage, usage),
    costUsd: state.costUsd === null || costUsd === null ? null : state.costUsd + costUsd,
  };
  if (calls.length === 0) {
    return { ...spent, operation: { ...operation, turn, step: { ...operation.step, text: "", thinking: "" } } };
  }
  return {
    ...spent,
    repeated: afterCalls(state.repeated, calls, state.config?.limits.maxIdenticalCalls ?? Number.POSITIVE_INFINITY),
    operation: {
      type: "tool-loop",
      turn: { ...turn, batches: turn.batches + 1 },
      batch: { stepId, calls: calls.map((call) => ({ type: "new", call })), edited: [], undo: null },
    },
  };
}

function windowOf({ config }: SessionState, model: string): number {
  return config === null ? Infinity : modelNamed(config, model).contextWindowTokens;
}

/** What a user saw of an answer stays part of the conversation when they stopped it, or when it failed after tools ran. */
function abandonStep(state: SessionState, { stepId, cause, text, failure }: Of<"step-abandoned">): SessionState {
  const { operation, config } = state;
  if (operation.type !== "streaming" || operation.step.stepId !== stepId) return state;
  const overflowed = operation.turn.overflowed || failure?.code === "provider.context";
  const stopped: SessionState = {
    ...state,
    operation: {
      ...operation,
      turn: { ...operation.turn, overflowed },
      step: { ...operation.step, abandoned: true, text: "", thinking: "" },
    },
  };
  if (cause === "process-died" || text.trim() === "" || config === null) return stopped;
  const { provider, id, wire } = modelNamed(config, operation.step.model);
  const partial: AssistantMessage = {
    role: "assistant",
    origin: { provider, model: id, wire },
    content: [{ type: "text", text: text.trimEnd() }],
  };
  return { ...stopped, conversation: appended<Message>(state.conversation, partial) };
}

function spend(turn: OpenTurn, tokens: number, costUsd: number): OpenTurn {
  return { ...turn, tokens: turn.tokens + tokens, costUsd: turn.costUsd + costUsd };
}

function withStep(state: SessionState, stepId: string, change: (step: OpenStep) => OpenStep): SessionState {
  const { operation } = state;
  if (operation.type !== "streaming" || operation.step.stepId !== stepId) return state;
  return { ...state, operation: { ...operation, step: change(operation.step) } };
}
