import { type ToolStrategy, unreachable } from "@capstan/protocol";
import type { Batch, PendingCall } from "../../model/state.ts";

type Allowed = Extract<PendingCall, { type: "allowed" }>;

/**
 * The calls that may start now. Effectful calls run alone and in call order under every strategy, so that a batch has the
 * effect its order says; only neighbouring read-only calls may overlap.
 */
export function startableCalls(batch: Batch, strategy: ToolStrategy, maxParallelReads: number): readonly Allowed[] {
  const open = batch.calls.filter((pending) => pending.type !== "settled");
  const running = open.filter((pending) => pending.type === "running");
  switch (strategy) {
    case "sequential":
      return running.length > 0 ? [] : firstAllowed(open);
    case "parallel-reads":
    case "review":
      if (running.some((pending) => pending.action.effect !== "read")) return [];
      return leadingReads(open, running.length, maxParallelReads);
    default:
      return unreachable(strategy);
  }
}

function firstAllowed(open: readonly PendingCall[]): readonly Allowed[] {
  const [first] = open;
  return first?.type === "allowed" ? [first] : [];
}

function leadingReads(
  open: readonly PendingCall[],
  runningCount: number,
  maxParallelReads: number,
): readonly Allowed[] {
  if (runningCount === 0 && open[0]?.type === "allowed" && open[0].action.effect !== "read") return [open[0]];
  const startable: Allowed[] = [];
  for (const pending of open) {
    if (pending.type === "running") continue;
    if (pending.type !== "allowed" || pending.action.effect !== "read") break;
    if (runningCount + startable.length >= maxParallelReads) break;
    startable.push(pending);
  }
  return startable;
}
