import type { Activity, SessionSnapshot } from "@capstan/protocol";
import { AppError, unreachable } from "@capstan/protocol";
import type { Operation, SessionState } from "../operation/state.ts";
import { pendingInteractions } from "../interactions/pending-interactions.ts";
import { conversation } from "./conversation.ts";

/**
 * What a client that attaches is shown.
 * @param seq  number of the last record folded into `state`
 * @throws {AppError} `storage.corrupt` for a journal without its first records
 */
export function snapshot(state: SessionState, seq: number): SessionSnapshot {
  const { sessionId, workspace, config } = state;
  if (sessionId === null || workspace === null || config === null) {
    throw new AppError("storage.corrupt", "the journal lacks its first records (session-started, session-configured)");
  }
  return {
    sessionId,
    seq,
    workspace,
    config,
    activity: activityOf(state.operation),
    conversation: conversation(state),
    pending: pendingInteractions(state.operation),
    tasks: state.tasks,
    grants: state.grants,
    turns: state.turns.map(({ turnId, effects }) => ({
      turnId,
      changed: [...new Set(effects.map((effect) => effect.path))],
    })),
    canUnwind: state.rewinds.length > 0,
    usage: state.usage,
    costUsd: state.costUsd,
    ...(state.lastOutcome === null ? {} : { lastOutcome: state.lastOutcome }),
  };
}

function activityOf(operation: Operation): Activity {
  switch (operation.type) {
    case "idle":
      return { type: "idle" };
    case "preparing":
      return { type: "preparing", turnId: operation.turn.turnId };
    case "streaming": {
      const { turn, step } = operation;
      if (step.waiting) return { type: "retrying", turnId: turn.turnId, stepId: step.stepId, attempt: step.attempt };
      return { type: "streaming", turnId: turn.turnId, stepId: step.stepId, text: step.text, thinking: step.thinking };
    }
    case "tool-loop": {
      const { turn, batch } = operation;
      if (batch.calls.some((pending) => pending.type === "asking"))
        return { type: "awaiting-approval", turnId: turn.turnId };
      const running = batch.calls.flatMap((pending) => (pending.type === "running" ? [pending.call.callId] : []));
      return { type: "executing", turnId: turn.turnId, running };
    }
    case "interaction":
      return { type: "awaiting-person", turnId: operation.turn.turnId };
    case "summarizing":
      return { type: "summarizing" };
    case "recovery":
      return { type: "recovery", turnId: operation.turn.turnId };
    case "rewinding":
      return { type: "rewinding" };
    default:
      return unreachable(operation);
  }
}
