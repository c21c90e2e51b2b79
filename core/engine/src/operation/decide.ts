import { unreachable } from "@capstan/protocol";
import { expiryTimers, timerFor } from "../interactions/open-interaction.ts";
import { pendingInteractions } from "../interactions/pending-interactions.ts";
import { openTurnOf } from "../turn/open-turn-of.ts";
import { continueQueue, submitInput } from "../turn/open-turn.ts";
import { startDeadline } from "../turn/timers.ts";
import { andThen, type Decision, decision, nothing } from "./decision.ts";
import { fromIdle } from "./from-idle.ts";
import { fromInteraction } from "./from-interaction.ts";
import { fromPreparing } from "./from-preparing.ts";
import { fromRecovery } from "./from-recovery.ts";
import { fromRewinding } from "./from-rewinding.ts";
import { fromStreaming } from "./from-streaming.ts";
import { fromSummarizing } from "./from-summarizing.ts";
import { fromToolLoop } from "./from-tool-loop.ts";
import type { SessionState } from "./state.ts";
import type { Stimulus } from "./stimulus.ts";

/**
 * Chooses what follows from a stimulus: the table of contents of the engine.
 * Pure and total: a stimulus that no longer fits the state (late, repeated, foreign) yields nothing.
 */
export function decide(before: SessionState, stimulus: Stimulus): Decision {
  const state: SessionState = { ...before, now: stimulus.at ?? 0 };
  const chosen = chooseFrom(state, stimulus);
  // After a restart, what waits begins although nothing else happened: a journal may end just before it.
  if (chosen.records.length === 0 && stimulus.type !== "process-restarted") return chosen;
  const whole = andThen(state, chosen, continueQueue);
  return { ...whole, effects: [...whole.effects, ...expiryTimers(whole.records, state.now)] };
}

function chooseFrom(state: SessionState, stimulus: Stimulus): Decision {
  if (isForEveryState(stimulus)) return decideAnywhere(state, stimulus);
  const chosen = decideInState(state, stimulus);
  return stimulus.type === "process-restarted" ? andThen(state, chosen, resumeTimers) : chosen;
}

/** Timers die with their process. The time limit begins anew; what a person is asked expires when it would have. */
function resumeTimers(state: SessionState): Decision {
  const turn = openTurnOf(state);
  if (turn === null) return nothing;
  const expiries = pendingInteractions(state.operation).flatMap((interaction) => timerFor(interaction, state.now));
  return decision([], [...startDeadline(state, turn.turnId), ...expiries]);
}

function decideInState(state: SessionState, stimulus: Stimulus): Decision {
  const { operation } = state;
  switch (operation.type) {
    case "idle":
      return fromIdle(state, stimulus);
    case "preparing":
      return fromPreparing(state, operation, stimulus);
    case "streaming":
      return fromStreaming(state, operation, stimulus);
    case "tool-loop":
      return fromToolLoop(state, operation, stimulus);
    case "interaction":
      return fromInteraction(state, operation, stimulus);
    case "summarizing":
      return fromSummarizing(state, operation, stimulus);
    case "recovery":
      return fromRecovery(state, operation, stimulus);
    case "rewinding":
      return fromRewinding(state, operation, stimulus);
    default:
      return unreachable(operation);
  }
}

function isForEveryState(stimulus: Stimulus): boolean {
  if (stimulus.type === "effects-seen") return true;
  return (
    stimulus.type === "submission" &&
    (stimulus.submission.type === "configure" || stimulus.submission.type === "user-input")
  );
}

/** Words, settings and late effects are taken at any time: input waits in line, settings hold from the next decision on. */
function decideAnywhere(state: SessionState, stimulus: Stimulus): Decision {
  if (stimulus.type === "effects-seen") return lateEffects(state, stimulus);
  if (stimulus.type !== "submission") return nothing;
  const { submission, origin } = stimulus;
  if (submission.type === "configure") return decision([{ type: "session-configured", config: submission.config }]);
  if (submission.type === "user-input")
    return submitInput(state, { turnId: submission.turnId, content: submission.content, origin });
  return nothing;
}

/** A call that was cancelled has ended by now: what it did to files can still be taken back. */
function lateEffects({ turns }: SessionState, stimulus: Extract<Stimulus, { type: "effects-seen" }>): Decision {
  const { turnId, callId, effects } = stimulus;
  if (effects.length === 0 || !turns.some((mark) => mark.turnId === turnId)) return nothing;
  return decision([{ type: "tool-effects", turnId, callId, effects }]);
}
