import type { CompactionRecord } from "@capstan/protocol";
import { addUsage } from "@capstan/protocol";
import type { SessionState } from "../model/state.ts";

export function evolveCompaction(state: SessionState, record: CompactionRecord): SessionState {
  const { operation } = state;
  if (record.type === "compaction-started") {
    if (operation.type !== "idle" && operation.type !== "summarizing") return state;
    const { stepId, messageCount, attempt } = record;
    const compactions = operation.type === "idle" ? state.compactions + 1 : state.compactions;
    return { ...state, compactions, operation: { type: "summarizing", stepId, messageCount, attempt, waiting: false } };
  }
  if (operation.type !== "summarizing" || operation.stepId !== record.stepId) return state;
  const idle: SessionState = { ...state, operation: { type: "idle" } };
  if (record.type === "compaction-failed") return idle;
  return {
    ...idle,
    summary: { text: record.summary, messageCount: record.messageCount, tasks: state.tasks },
    usage: addUsage(state.usage, record.usage),
    costUsd: state.costUsd === null || record.costUsd === null ? null : state.costUsd + record.costUsd,
  };
}
