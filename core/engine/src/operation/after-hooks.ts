import { cutOff, hookPoint, type OpenRun } from "@capstan/hook-points";
import { type HookAnswer, type HookRecord, type JournalRecord, unreachable } from "@capstan/protocol";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import { openTurnOf, type SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";
import { packContext } from "../turn/ask-hooks.ts";
import { makeSummary } from "../turn/compact.ts";
import { endTurn, wholeTurn } from "../turn/end-turn.ts";
import { startStep } from "../turn/start-step.ts";
import { isSteered } from "../turn/steer-turn.ts";
import { advanceBatch, prepareCalls } from "../turn/tool-loop/advance-batch.ts";
import { summaryRefused } from "./from-summarizing.ts";

/** Hooks have answered: what waited for them continues, or does not. */
export function afterHooks(state: SessionState, ended: Extract<Stimulus, { type: "hooks-ended" }>): Decision {
  const { runId, outcomes, answer } = ended;
  const run = state.hooks?.open.find((open) => open.runId === runId);
  if (run === undefined) return nothing;
  const record: HookRecord = { type: "hook-finished", runId, event: run.event, outcomes, answer };
  return andThen(state, decision([record]), (next) => follow(next, run, answer));
}

/** Runs that a dead process left open are not run again; where nothing else would, what waited for them continues. */
export function afterLostHooks(state: SessionState, resume: (state: SessionState) => Decision): Decision {
  const open = state.hooks?.open ?? [];
  const stop = open.find(({ event }) => event.endsWith("Stop"));
  const found: JournalRecord = { type: "session-recovered", found: "a turn whose end hooks were asked about" };
  const lost = decision([...(stop === undefined ? [] : [found]), ...open.map((run) => cutOff(run, "unknown"))]);
  return andThen(state, lost, (next) => (stop === undefined ? resume(next) : follow(next, stop, {})));
}

/** Nothing waits any more for what hooks would say: they are stopped. */
export function stopUnreceived({ hooks, operation }: SessionState): Decision {
  if (operation.type !== "idle") return nothing;
  const unreceived = (hooks?.open ?? []).filter(({ event }) => hookPoint(event).before !== undefined);
  return decision(
    unreceived.map((run) => cutOff(run, "cancelled")),
    unreceived.map(({ runId }) => ({ type: "stop-hooks", runId })),
  );
}

function follow(state: SessionState, { event, turnId }: OpenRun, answer: HookAnswer): Decision {
  const { block, stop } = answer;
  const { before } = hookPoint(event);
  const { operation } = state;
  if (openTurnOf(state)?.turnId !== turnId) return nothing;
  const against = stop ?? (before === "context" || before === "step" ? block : undefined);
  if (against !== undefined && before !== "end")
    return endTurn(state, { outcome: "error", message: `a ${event} hook ended the turn: ${against}` });
  switch (before) {
    case "context":
      return packContext(state);
    case "step":
      return startStep(state);
    case "calls":
      return prepareCalls(state);
    case "batch":
      return advanceBatch(state);
    case "summary":
      if (operation.type !== "compacting" && operation.type !== "summarizing") return nothing;
      return block === undefined ? makeSummary(state, operation) : summaryRefused(state, operation, block);
    case "end":
      return isPushedOn(state, answer) ? startStep(state) : endTurn(state, wholeTurn(state));
    case undefined:
      return nothing;
    default:
      return unreachable(before);
  }
}

/** There is something for the model to read before its turn ends. */
function isPushedOn(state: SessionState, { block, stop }: HookAnswer): boolean {
  return isSteered(state) || (block !== undefined && stop === undefined);
}
