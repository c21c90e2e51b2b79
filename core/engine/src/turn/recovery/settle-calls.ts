import type { InteractionId, JournalRecord } from "@capstan/protocol";
import { unattendedOutcome } from "@capstan/wording";
import { openInteraction } from "../interactions/open-interaction.ts";
import { withdrawQuestions } from "../interactions/ask-user.ts";
import { withdraw } from "../interactions/resolve-interaction.ts";
import { andThen, type Decision, decision, nothing, together } from "../../model/decision.ts";
import type { Effect } from "../../model/effect.ts";
import type { Batch, Operation, SessionState } from "@capstan/session";
import type { Probe, Stimulus } from "../../model/stimulus.ts";
import { maxCallsNamed, summaryCharacters } from "../../limits.ts";
import { judgeAgain } from "./judge-again.ts";
import { planRewind } from "@capstan/policy";
import { advanceBatch, resumeBatch } from "../tool-loop/advance-batch.ts";
import { finished } from "../tool-loop/finish-call.ts";
import { judgeCall } from "../tool-loop/judge-call.ts";
import { endTurn } from "../end-turn.ts";
import {
  callsInDoubt,
  effectfulCalls,
  leftUnknown,
  recoveryCalls,
  restarted,
  type RunningCall,
} from "./calls-in-doubt.ts";

type ToolLoop = Extract<Operation, { type: "tool-loop" }>;

/**
 * The process died in this batch. Reads run again. An effectful call that was under way is looked at first: it may have
 * happened, and is never run again while that is possible.
 */
export function afterRestart(state: SessionState, { batch }: ToolLoop): Decision {
  const running = effectfulCalls(batch);
  const record: JournalRecord = { type: "session-recovered", found: found(batch, running) };
  // Whoever asked is gone with the process: a call that runs again asks again.
  const recovered = together([withdrawQuestions(batch.calls), decision([record])]);
  if (running.length === 0) return andThen(state, recovered, proceed);
  if (batch.undo !== null && running.every(({ interrupted, probed }) => interrupted && probed !== null))
    return together([recovered, decision([], [takeBack(batch, batch.undo)])]);
  const calls = running.map((each) => {
    const { action, settle, checkpoint, output } = each;
    return { callId: each.call.callId, action, settle, checkpoint, output };
  });
  return together([recovered, decision([], [{ type: "probe-calls", stepId: batch.stepId, calls }])]);
}

/** In words, with the effects that were under way. Nothing broke off where all that is open waits for a user. */
function found({ calls }: Batch, running: readonly RunningCall[]): string {
  const open = calls.filter(({ type }) => type !== "settled");
  if (open.length > 0 && open.every(({ type }) => type === "asking")) return "what waits for a user's answer";
  const text = "a batch of tool calls that had not ended";
  if (running.length === 0) return text;
  const named = running.slice(0, maxCallsNamed).map(({ action }) => action.summary.slice(0, summaryCharacters));
  return `${text} (${named.join("; ")}${running.length > maxCallsNamed ? "; …" : ""})`;
}

/** What the look has shown is settled; what stays in doubt goes the way the session's settings say. */
export function afterProbe(
  state: SessionState,
  { batch }: ToolLoop,
  { stepId, probes }: Extract<Stimulus, { type: "calls-probed" }>,
): Decision {
  const open = new Set<string>(callsInDoubt(batch).map(({ call }) => call.callId));
  if (stepId !== batch.stepId || open.size === 0) return nothing;
  const records = probes.filter((probe) => open.has(probe.callId)).flatMap((probe) => settled(probe));
  return andThen(state, decision(records), settleRest);
}

function settled({ callId, finding, effects }: Probe): readonly JournalRecord[] {
  const probed: JournalRecord = { type: "tool-probed", callId, finding, effects };
  switch (finding.type) {
    case "ended": {
      const { outcome, changes, observed } = finding;
      return [probed, { type: "tool-finished", callId, outcome, changes, observed, durationMs: 0, effects }];
    }
    case "untouched":
      return [probed, restarted(callId, "untouched")];
    case "in-doubt":
      return [probed];
  }
}

/** Settles what nobody could prove, as `onUnknown` says. */
export function settleRest(state: SessionState): Decision {
  const { operation, config } = state;
  if (operation.type !== "tool-loop") return nothing;
  const inDoubt = callsInDoubt(operation.batch);
  if (inDoubt.length === 0) return proceed(state);
  switch (config?.onUnknown) {
    case "tell-model":
      return andThen(state, decision(inDoubt.map(leftUnknown)), proceed);
    case "rerun":
      return runAgain(state, operation, inDoubt);
    case "ask":
      return ask(state, operation);
    case "fail":
    case undefined: {
      const message = "the process died while a tool ran, and it is not known whether it took effect";
      return andThen(state, decision(inDoubt.map(leftUnknown)), (next) =>
        endTurn(next, { outcome: "outcome-unknown", message }),
      );
    }
  }
}

/** Somebody chose so. What is denied today stays in doubt: its first run may have happened. */
export function runAgain(
  state: SessionState,
  { turn }: Pick<ToolLoop, "turn">,
  calls: readonly RunningCall[],
): Decision {
  const records = calls.map((running) =>
    judgeCall(state, turn, running.action).verdict === "deny"
      ? leftUnknown(running)
      : restarted(running.call.callId, "chosen"),
  );
  return andThen(state, decision(records), proceed);
}

/** Starts again what may run again, and then what has not run yet. */
export function proceed(state: SessionState): Decision {
  const { operation } = state;
  if (operation.type !== "tool-loop") return nothing;
  return andThen(state, withdrawUnattended(state), (attended) =>
    andThen(attended, judgeAgain(attended), (next) => andThen(next, resumeBatch(next), advanceBatch)),
  );
}

/** What waits for a user in a session that now runs where nobody is asked. */
function withdrawUnattended({ operation, config }: SessionState): Decision {
  if (operation.type !== "tool-loop" || config?.askPolicy === "ask") return nothing;
  const ended = operation.batch.calls.flatMap((pending) => {
    if (pending.type !== "asking" || pending.interaction === null) return [];
    const outcome = unattendedOutcome(pending.interaction.request, "it was asked before");
    return [withdraw(pending.interaction), decision([finished(pending.call.callId, outcome)])];
  });
  return together(ended);
}

/** The files go back to what they were before the calls in doubt, whatever of that is done already. */
export function takeBack(batch: Batch, answer: InteractionId): Effect {
  const { files } = planRewind([callsInDoubt(batch).flatMap((running) => running.probed?.effects ?? [])]);
  return { type: "restore-files", restoreId: answer, files };
}

function ask(state: SessionState, { turn, batch }: ToolLoop): Decision {
  const request = { type: "recovery", calls: recoveryCalls(batch) } as const;
  return decision([openInteraction(state, turn, { request, number: turn.interactions + 1 })]);
}
