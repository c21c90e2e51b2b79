import { mayRunAgain, type ToolStrategy, unreachable } from "@capstan/protocol";
import type { Batch, PendingCall } from "@capstan/session";

type Allowed = Extract<PendingCall, { type: "allowed" }>;

/**
 * The calls that may start now. Effectful calls run alone and in call order under every strategy, so that a batch has the
 * effect its order says; only neighbouring read-only calls may overlap, and neighbouring agents.
 */
export function startableCalls(batch: Batch, strategy: ToolStrategy, maxParallelReads: number): readonly Allowed[] {
  const open = batch.calls.filter((pending) => pending.type !== "settled");
  const running = open.filter((pending) => pending.type === "running");
  switch (strategy) {
    case "sequential":
      return running.length > 0 ? [] : firstAllowed(open);
    case "parallel-reads":
    case "review":
      if (running.some((pending) => !mayRunAgain(pending.action.effect))) return [];
      return leadingNeighbours(open, running.length, maxParallelReads);
    default:
      return unreachable(strategy);
  }
}

function firstAllowed(open: readonly PendingCall[]): readonly Allowed[] {
  const [first] = open;
  return first?.type === "allowed" ? [first] : [];
}

/** The first open call, and where it may overlap those of its kind that follow it without a gap. */
function leadingNeighbours(
  open: readonly PendingCall[],
  runningCount: number,
  maxParallel: number,
): readonly Allowed[] {
  const [first] = open;
  if (first === undefined || !("action" in first) || first.action === null) return [];
  const { effect } = first.action;
  if (!mayRunAgain(effect)) return first.type === "allowed" ? [first] : [];
  const startable: Allowed[] = [];
  for (const pending of open) {
    if (pending.type === "running" && pending.action.effect === effect) continue;
    if (pending.type !== "allowed" || pending.action.effect !== effect) break;
    if (runningCount + startable.length >= maxParallel) break;
    startable.push(pending);
  }
  return startable;
}
