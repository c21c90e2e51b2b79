import { costOf } from "../turn/cost.ts";
import { askForSummary } from "./start-compaction.ts";
import { nextAttempt } from "../turn/retry-step.ts";
import { retryTimer } from "../turn/timers.ts";
import { type Decision, decision, nothing } from "../model/decision.ts";
import type { Operation, SessionState } from "../model/state.ts";
import type { Stimulus } from "../model/stimulus.ts";

type Summarizing = Extract<Operation, { type: "summarizing" }>;

/** Older messages are being summarised; inputs wait in line. */
export function fromSummarizing(state: SessionState, operation: Summarizing, stimulus: Stimulus): Decision {
  const { stepId, messageCount, attempt, waiting } = operation;
  switch (stimulus.type) {
    case "model-finished": {
      if (waiting || stimulus.stepId !== stepId || stimulus.attempt !== attempt) return nothing;
      const { message, usage, reason } = stimulus.finish;
      const summary = message.content
        .flatMap((block) => (block.type === "text" ? [block.text] : []))
        .join("\n")
        .trim();
      if (summary === "" || reason !== "stop") return failed(operation, `the model gave no whole summary (${reason})`);
      return decision([
        {
          type: "compaction-completed",
          stepId,
          summary,
          messageCount,
          usage,
          costUsd: costOf(usage, state.config?.model.prices),
        },
      ]);
    }
    case "model-failed": {
      if (waiting || stimulus.stepId !== stepId || stimulus.attempt !== attempt) return nothing;
      const delayMs = nextAttempt(state, { attempt, firstAttempt: 1 }, stimulus.failure, stimulus.chance);
      if (delayMs === null) return failed(operation, stimulus.failure.message);
      const timerId = retryTimer({ stepId, attempt });
      return decision(
        [{ type: "step-retrying", stepId, attempt, failure: stimulus.failure, delayMs }],
        [{ type: "start-timer", timerId, delayMs }],
      );
    }
    case "timer-fired":
      if (!waiting || stimulus.timerId !== retryTimer({ stepId, attempt })) return nothing;
      return askAgain(state, operation, attempt + 1);
    case "submission":
      if (stimulus.submission.type !== "cancel") return nothing;
      return decision(failed(operation, "cancelled").records, [
        { type: "stop-model", stepId },
        { type: "stop-timer", timerId: retryTimer({ stepId, attempt }) },
      ]);
    case "process-restarted":
      return askAgain(state, operation, attempt + 1);
    default:
      return nothing;
  }
}

function askAgain(state: SessionState, { stepId, messageCount }: Summarizing, attempt: number): Decision {
  return decision(
    [{ type: "compaction-started", stepId, messageCount, attempt }],
    askForSummary(state, { stepId, messageCount, attempt }),
  );
}

function failed({ stepId }: Summarizing, message: string): Decision {
  return decision([{ type: "compaction-failed", stepId, message }]);
}
