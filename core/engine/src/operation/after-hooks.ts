import { cutOff, hookPoint, type OpenRun } from "@capstan/hook-points";
import { type HookAnswer, type HookRecord, type JournalRecord, unreachable } from "@capstan/protocol";
import { andThen } from "../evolve/and-then.ts";
import { type Decision, decision, nothing } from "../model/decision.ts";
import { openTurnOf } from "../model/open-turn-of.ts";
import type { SessionState } from "../model/state.ts";
import type { Stimulus } from "../model/stimulus.ts";
import { packContext } from "../turn/ask-hooks.ts";
import { callForSummary } from "../turn/compact.ts";
import { endTurn, wholeTurn } from "../turn/end-turn.ts";
import { startStep } from "../turn/start-step.ts";
import { isSteered } from "../turn/steer-turn.ts";
import { advanceBatch, prepareCalls } from "../turn/tool-loop/advance-batch.ts";
import { summaryRefused } from "./from-summarizing.ts";

/** Hooks have answered: what waited for them goes on, or does not. */
export function afterHooks(state: SessionState, ended: Extract<Stimulus, { type: "hooks-ended" }>): Decision {
  const { runId, outcomes, answer } = ended;
  const run = state.hooks?.open.find((open) => open.runId === runId);
  if (run === undefined) return nothing;
  const record: HookRecord = { type: "hook-finished", runId, event: run.event, outcomes, answer };
  return andThen(state, decision([record]), (next) => follow(next, run, answer));
}

/** Runs that a dead process left open are not run again; where nothing else would, what waited for them goes on. */
export function afterLostHooks(state: SessionState, goOn: (state: SessionState) => Decision): Decision {
  const open = state.hooks?.open ?? [];
  const stop = open.find(({ event }) => event.endsWith("Stop"));
  const found: JournalRecord = { type: "session-recovered", found: "a turn whose end hooks were asked about" };
  const lost = decision([...(stop === undefined ? [] : [found]), ...open.map((run) => cutOff(run, "unknown"))]);
  return andThen(state, lost, (next) => (stop === undefined ? goOn(next) : follow(next, stop, {})));
}

/** Nothing waits any more for what hooks would say: they are stopped. */
export function stopUnheard({ hooks, operation }: SessionState): Decision {
  if (operation.type !== "idle") return nothing;
  const unheard = (hooks?.open ?? []).filter(({ event }) => hookPoint(event).waits);
  return decision(
    unheard.map((run) => cutOff(run, "cancelled")),
    unheard.map(({ runId }) => ({ type: "stop-hooks", runId })),
  );
}

function follow(state: SessionState, { event, turnId }: OpenRun, { block, stop }: HookAnswer): Decision {
  const { operation } = state;
  if (!hookPoint(event).waits || openTurnOf(state)?.turnId !== turnId) return nothing;
  const against = stop ?? block;
  switch (event) {
    case "SessionStart":
    case "SubagentStart":
    case "BeforeRun":
    case "UserPromptSubmit":
    case "BeforeContextPack":
      return against === undefined ? packContext(state) : refused(state, event, against);
    case "AfterContextPack":
    case "BeforeModelCall":
      return against === undefined ? startStep(state) : refused(state, event, against);
    case "PreToolUse":
    case "BeforeSpawnSubagent":
    case "BeforeApplyChanges":
      return stop === undefined ? prepareCalls(state) : refused(state, event, stop);
    case "PostToolUse":
    case "PostToolUseFailure":
    case "AfterApplyChanges":
      return stop === undefined ? advanceBatch(state) : refused(state, event, stop);
    case "PreCompact":
      if (operation.type !== "compacting" && operation.type !== "summarizing") return nothing;
      return block === undefined ? callForSummary(state, operation) : summaryRefused(state, operation, block);
    case "Stop":
    case "SubagentStop":
      return isSteered(state) || (block !== undefined && stop === undefined)
        ? startStep(state)
        : endTurn(state, wholeTurn(state));
    case "AfterModelCall":
    case "Notification":
    case "OnToolCall":
    case "PostCompact":
    case "OnError":
    case "OnAgentError":
    case "AfterRun":
    case "SessionEnd":
      return nothing;
    default:
      return unreachable(event);
  }
}

function refused(state: SessionState, event: string, reason: string): Decision {
  return endTurn(state, { outcome: "error", message: `a ${event} hook ended the turn: ${reason}` });
}
