import { costOf } from "@capstan/protocol";
import { askForSummary } from "./start-compaction.ts";
import { isCurrent, retryStep } from "../turn/retry-step.ts";
import { retryTimer } from "../turn/timers.ts";
import { type Decision, decision, nothing } from "../model/decision.ts";
import type { Operation, SessionState } from "../model/state.ts";
import type { Stimulus } from "../model/stimulus.ts";

type Summarizing = Extract<Operation, { type: "summarizing" }>;

/** Older messages are being summarised; inputs wait in line. */
export function fromSummarizing(state: SessionState, operation: Summarizing, stimulus: Stimulus): Decision {
  const { stepId, messageCount, attempt, waiting } = operation;
  const again = { type: "compaction-started", stepId, messageCount, attempt: attempt + 1 } as const;
  switch (stimulus.type) {
    case "model-finished": {
      if (!isCurrent(operation, stimulus)) return nothing;
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
      if (!isCurrent(operation, stimulus)) return nothing;
      const retry = retryStep(state, { stepId, attempt, firstAttempt: 1 }, stimulus);
      return retry ?? failed(operation, stimulus.failure.message);
    }
    case "timer-fired":
      if (!waiting || stimulus.timerId !== retryTimer({ stepId, attempt })) return nothing;
      return askForSummary(state, again);
    case "submission":
      if (stimulus.submission.type !== "cancel") return nothing;
      return decision(failed(operation, "cancelled").records, [
        { type: "stop-model", stepId },
        { type: "stop-timer", timerId: retryTimer({ stepId, attempt }) },
      ]);
    case "process-restarted":
      return askForSummary(state, again);
    default:
      return nothing;
  }
}

function failed({ stepId }: Summarizing, message: string): Decision {
  return decision([{ type: "compaction-failed", stepId, message }]);
}
