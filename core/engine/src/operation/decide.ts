import { isKnownTurn } from "@capstan/policy";
import {
  type ChangedSettings,
  includesRole,
  modelName,
  type Origin,
  type ResolvedSubmission,
  unreachable,
} from "@capstan/protocol";
import { expiryTimers, timerFor } from "../turn/interactions/open-interaction.ts";
import { assumedNotice, openTurnOf, pendingInteractions, type SessionState } from "@capstan/session";
import { cancelReason, cancelTurn } from "../turn/cancel-turn.ts";
import { continueQueue, submitInput } from "../turn/open-turn.ts";
import { handBackQueue, steerTurn } from "../turn/steer-turn.ts";
import { startDeadline } from "../turn/timers.ts";
import { askAgain, fromBackground, stopDropped } from "../turn/background.ts";
import { andThen, type Decision, decision, nothing, together } from "../model/decision.ts";
import { notifyHooks, notifyHooksOf } from "../turn/ask-hooks.ts";
import { afterHooks, afterLostHooks, stopUnreceived } from "./after-hooks.ts";
import { fromApplying } from "./settle-proposals.ts";
import { fromIdle } from "./from-idle.ts";
import { fromInteraction } from "./from-interaction.ts";
import { fromPreparing } from "./from-preparing.ts";
import { fromRecovery } from "./from-recovery.ts";
import { fromRewinding } from "./from-rewinding.ts";
import { fromStreaming } from "./from-streaming.ts";
import { fromSummarizing } from "./from-summarizing.ts";
import { fromToolLoop } from "./from-tool-loop.ts";
import type { Stimulus } from "../model/stimulus.ts";
import { refusalOf } from "./refuse.ts";

type QueueChanged = Extract<ResolvedSubmission, { readonly type: "queue-change" }>;

/**
 * Chooses what follows from a stimulus: the table of contents of the engine.
 * Pure and total: a stimulus that no longer fits the state (late, repeated, foreign) yields nothing.
 */
export function decide(before: SessionState, stimulus: Stimulus): Decision {
  const { at = 0, opened } = stimulus;
  const state: SessionState = { ...before, now: at, ...(opened === undefined ? {} : { opened }) };
  const refusal = stimulus.type === "submission" ? refusalOf(state, stimulus) : null;
  if (refusal !== null) return { ...nothing, refusal };
  const handed = withQueueHandedBack(state, stimulus, chooseFrom(state, stimulus));
  const chosen = andThen(state, handed, stopUnreceived);
  // After a restart, what waits begins although nothing else happened: a journal may end just before it.
  if (chosen.records.length === 0 && stimulus.type !== "process-restarted") return chosen;
  const queued = andThen(state, chosen, continueQueue);
  const notified = andThen(state, queued, (next) => notifyHooksOf(next, queued.records));
  const whole =
    state.background === null
      ? notified
      : andThen(state, notified, (next) => stopDropped(state, next, notified.records));
  return { ...whole, effects: [...whole.effects, ...expiryTimers(whole.records, state.now)] };
}

/** Whoever cancels says what becomes of the words that wait; who names a turn that has ended changes nothing. */
function withQueueHandedBack(state: SessionState, stimulus: Stimulus, chosen: Decision): Decision {
  if (stimulus.type !== "submission" || stimulus.submission.type !== "cancel") return chosen;
  const { submission, origin } = stimulus;
  const { turnId, queued } = submission;
  if (turnId !== undefined && turnId !== openTurnOf(state)?.turnId) return nothing;
  return queued === "hand-back" ? andThen(state, chosen, (next) => handBackQueue(next, origin)) : chosen;
}

function chooseFrom(state: SessionState, stimulus: Stimulus): Decision {
  const anywhere = decideAnywhere(state, stimulus);
  if (anywhere !== null) return anywhere;
  if (stimulus.type !== "process-restarted") return decideInState(state, stimulus);
  const chosen = afterLostHooks(state, (next) => decideInState(next, stimulus));
  return andThen(state, andThen(state, chosen, resumeTimers), (next) => resumeSummary(state, next));
}

/** What was asked for beside the turn died with its process, unless the turn has come to wait for it. */
function resumeSummary({ background }: SessionState, next: SessionState): Decision {
  return background === null || next.background !== background ? nothing : askAgain(next, background);
}

/** Timers die with their process. The time limit starts over; what a user is asked expires when it would have. */
function resumeTimers(state: SessionState): Decision {
  const turn = openTurnOf(state);
  if (turn === null) return nothing;
  const expiries = pendingInteractions(state.operation).flatMap((interaction) => timerFor(interaction, state.now));
  return decision([], [...startDeadline(state, turn.turnId), ...expiries]);
}

function decideInState(state: SessionState, stimulus: Stimulus): Decision {
  const { operation } = state;
  const cancelled = "turn" in operation ? cancelReason(stimulus, operation.turn) : null;
  if (cancelled !== null) return cancelTurn(state, cancelled);
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
      return fromInteraction(state, stimulus);
    case "summarizing":
    case "compacting":
      return fromSummarizing(state, operation, stimulus);
    case "recovery":
      return fromRecovery(state, operation, stimulus);
    case "rewinding":
      return fromRewinding(state, operation, stimulus);
    case "applying":
      return fromApplying(state, operation, stimulus);
    default:
      return unreachable(operation);
  }
}

/**
 * Words, settings and late effects are taken at any time: input waits in line, settings hold from the next decision on.
 * @returns `null` for what depends on the operation under way
 */
function decideAnywhere(state: SessionState, stimulus: Stimulus): Decision | null {
  if (stimulus.type === "effects-seen") return lateEffects(state, stimulus);
  if (stimulus.type === "tools-changed") {
    const { tools, notices } = stimulus;
    return together([tools === null ? nothing : configure(state, { tools }), decision(notices)]);
  }
  if (stimulus.type === "hooks-ended") return afterHooks(state, stimulus);
  if (stimulus.type === "session-closing") return notifyHooks(state, { event: "SessionEnd", key: "SessionEnd" });
  const beside = state.background === null ? null : fromBackground(state, state.background, stimulus);
  if (beside !== null) return beside;
  if (stimulus.type !== "submission") return null;
  const { submission, origin, role } = stimulus;
  switch (submission.type) {
    case "configure":
      return configure(state, submission.config);
    case "user-input": {
      const { turnId, content, follows } = submission;
      if (isKnownTurn(state.turnIds, turnId)) return nothing;
      if (submission.delivery === "steer" && mayRead(state))
        return steerTurn(state, { inputId: turnId, content, origin });
      const mode = includesRole(role, "drive") ? {} : ({ mode: "plan" } as const);
      return submitInput(state, { turnId, content, origin, ...mode }, follows);
    }
    case "queue-change":
      return changeQueue(state, submission, origin);
    case "title":
      return decision([{ type: "session-titled", title: submission.title.trim(), origin }]);
    case "revoke-grant":
      return decision([{ type: "grant-revoked", grantId: submission.grantId }]);
    case "cancel":
    case "answer":
    case "compact":
    case "change-compaction":
    case "rewind":
    case "unwind":
    case "settle-proposals":
    case "resume":
    case "run-for-user":
      return null;
    default:
      return unreachable(submission);
  }
}

/** A turn is open in which a model will read on: a user's own command has none. */
function mayRead(state: SessionState): boolean {
  const { operation } = state;
  return openTurnOf(state) !== null && !("batch" in operation && operation.batch.isUsers === true);
}

function changeQueue(state: SessionState, { turnId, change }: QueueChanged, origin: Origin): Decision {
  const input = state.queued.find((waiting) => waiting.turnId === turnId);
  if (input === undefined) return nothing;
  switch (change.type) {
    case "remove":
      return decision([{ type: "queue-changed", turnId, change: { type: "removed" }, origin }]);
    case "replace":
      return decision([
        { type: "queue-changed", turnId, change: { type: "replaced", content: change.content }, origin },
      ]);
    case "move":
      return decision([{ type: "queue-changed", turnId, change: { type: "moved", before: change.before }, origin }]);
    case "now":
      return steerTurn(state, { inputId: turnId, content: input.content, origin: input.origin });
    default:
      return unreachable(change);
  }
}

/** Settings that are not named stay as they are: two frontends that set different ones both hold. */
function configure({ config }: SessionState, changed: ChangedSettings): Decision {
  if (config === null) return nothing;
  const limits = { ...config.limits, ...changed.limits };
  const isOther = changed.model !== undefined && modelName(changed.model) !== modelName(config.model);
  const notices = isOther ? assumedNotice(changed.model) : [];
  return decision([{ type: "session-configured", config: { ...config, ...changed, limits } }, ...notices]);
}

/** A call that was cancelled has ended by now: what it did to files can still be taken back. */
function lateEffects({ turns }: SessionState, stimulus: Extract<Stimulus, { type: "effects-seen" }>): Decision {
  const { turnId, callId, effects } = stimulus;
  if (effects.length === 0 || !turns.some((mark) => mark.turnId === turnId)) return nothing;
  return decision([{ type: "tool-effects", turnId, callId, effects }]);
}
