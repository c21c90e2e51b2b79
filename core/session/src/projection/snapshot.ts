import { type Activity, type SessionConfig, type SessionSnapshot, modelNamed } from "@capstan/protocol";
import { AppError, unreachable } from "@capstan/protocol";
import type { Operation, SessionState } from "../model/state.ts";
import { pendingInteractions, questionOf } from "../model/pending-interactions.ts";
import { openProposals } from "../model/open-proposals.ts";
import { openTurnOf } from "../model/open-turn-of.ts";

/**
 * What a client that attaches is shown.
 * @param seq  number of the last record folded into `state`
 * @throws {AppError} `storage.corrupt` for a journal without its first records
 */
export function snapshot(state: SessionState, seq: number): SessionSnapshot {
  const { sessionId, workspace, config, title } = state;
  if (sessionId === null || workspace === null || config === null) {
    throw new AppError("storage.corrupt", "the journal lacks its first records (session-started, session-configured)");
  }
  return {
    sessionId,
    seq,
    workspace,
    config,
    resumed: state.turnIds.length > 0,
    ...(title === null ? {} : { title }),
    activity: activityOf(state.operation),
    queued: state.queued.map(({ turnId, content, origin: { user } }) => ({
      turnId,
      content,
      ...(user === undefined ? {} : { user }),
    })),
    steering: (openTurnOf(state)?.steering ?? []).flatMap(({ inputId, content, isRead }) =>
      isRead ? [] : [{ inputId, content }],
    ),
    running: runningCalls(state.operation),
    context: contextOf(state, config),
    summaries: state.summaries.filter(({ stepId }) => stepId !== null).length,
    pending: pendingInteractions(state.operation),
    proposals: openProposals(state),
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

function runningCalls(operation: Operation): SessionSnapshot["running"] {
  if (operation.type !== "tool-loop") return [];
  return operation.batch.calls.flatMap((pending) =>
    pending.type === "running" ? [{ callId: pending.call.callId, output: pending.output }] : [],
  );
}

function contextOf({ measured }: SessionState, config: SessionConfig): SessionSnapshot["context"] {
  if (measured === null) return null;
  return { tokens: measured.tokens, windowTokens: modelNamed(config, measured.model).contextWindowTokens };
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
      if (batch.calls.some((pending) => pending.type === "asking" || questionOf(pending) !== null))
        return { type: "awaiting-approval", turnId: turn.turnId };
      const running = batch.calls.flatMap((pending) => (pending.type === "running" ? [pending.call.callId] : []));
      return { type: "executing", turnId: turn.turnId, running };
    }
    case "interaction":
      return { type: "awaiting-user", turnId: operation.turn.turnId };
    case "summarizing":
      return { type: "summarizing" };
    case "compacting":
      return { type: "compacting", turnId: operation.turn.turnId };
    case "recovery":
      return { type: "recovery", turnId: operation.turn.turnId };
    case "rewinding":
      return { type: "rewinding" };
    case "applying":
      return { type: "applying" };
    default:
      return unreachable(operation);
  }
}
