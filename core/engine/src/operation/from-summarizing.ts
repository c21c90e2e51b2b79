import { summaryIn } from "@capstan/context";
import { noGain, spentOn } from "../turn/background.ts";
import { isCurrent, retrySummary } from "../turn/retry-step.ts";
import { retryTimer } from "../turn/timers.ts";
import { askForSummary, type Spent, summarised, summarisedByRules } from "../turn/compact.ts";
import { type Decision, decision, nothing } from "../model/decision.ts";
import type { Effect } from "../model/effect.ts";
import type { Operation, SessionState } from "@capstan/session";
import type { Stimulus } from "../model/stimulus.ts";

type Compacting = Extract<Operation, { type: "summarizing" | "compacting" }>;

/** Older messages are being summarised; inputs wait in line, and so does the turn that needs it. */
export function fromSummarizing(state: SessionState, operation: Compacting, stimulus: Stimulus): Decision {
  const { stepId, attempt, waiting } = operation;
  switch (stimulus.type) {
    case "model-finished": {
      if (!isCurrent(operation, stimulus)) return nothing;
      const spent = spentOn(state, operation, stimulus.finish.usage);
      const { text, problem } = summaryIn(stimulus.finish);
      if (problem !== null) return failed(state, operation, problem, spent);
      const { gains, fields } = summarised(state, operation, { summary: text, ...spent });
      // A user who asked for it has it as it is.
      if (!gains && operation.type === "compacting") return failed(state, operation, noGain, spent);
      return decision([{ type: "compaction-completed", ...fields }], packAgain(operation));
    }
    case "model-failed": {
      if (!isCurrent(operation, stimulus)) return nothing;
      const retry = retrySummary(state, operation, stimulus);
      return retry ?? failed(state, operation, stimulus.failure.message);
    }
    case "timer-fired":
      return waiting && stimulus.timerId === retryTimer({ stepId, attempt }) ? askAgain(state, operation) : nothing;
    case "submission":
      if (stimulus.submission.type !== "cancel" || operation.type === "compacting") return nothing;
      return decision(
        [{ type: "compaction-failed", stepId, message: "cancelled" }],
        [
          { type: "stop-model", stepId },
          { type: "stop-timer", timerId: retryTimer({ stepId, attempt }) },
        ],
      );
    case "process-restarted":
      return askAgain(state, operation);
    default:
      return nothing;
  }
}

function askAgain(state: SessionState, operation: Compacting): Decision {
  const { stepId, messageCount, attempt } = operation;
  const turn = operation.type === "compacting" ? { turnId: operation.turn.turnId } : {};
  return askForSummary(state, { type: "compaction-started", stepId, messageCount, attempt: attempt + 1, ...turn });
}

/** Hooks have said no. */
export function summaryRefused(state: SessionState, operation: Compacting, reason: string): Decision {
  return failed(state, operation, `a PreCompact hook refused: ${reason}`);
}

/** A turn that waits has to have room, if not by a summary then by rules. */
function failed(state: SessionState, operation: Compacting, message: string, spent?: Spent): Decision {
  if (operation.type === "compacting")
    return decision(summarisedByRules(state, operation, message, spent), packAgain(operation));
  return decision([{ type: "compaction-failed", stepId: operation.stepId, message, ...spent }]);
}

/** The model is informed of the workspace again: what it was informed of may be in what it sees no longer. */
function packAgain(operation: Compacting): readonly Effect[] {
  return operation.type === "compacting" ? [{ type: "pack-context", turnId: operation.turn.turnId }] : [];
}
