import { type Decision, decision, nothing } from "../../model/decision.ts";
import type { PendingCall, SessionState } from "../../model/state.ts";

/**
 * Prepares every call of the open batch that has not begun, so that each stands on what those before it will do. What comes out as it was
 * decided on stays decided.
 */
export function prepareCalls({ operation }: SessionState): Decision {
  if (operation.type !== "tool-loop") return nothing;
  const { stepId, calls } = operation.batch;
  const waiting = calls.filter((pending) => !hasBegun(pending)).map(({ call }) => call);
  return waiting.length === 0 ? nothing : decision([], [{ type: "prepare-actions", stepId, calls: waiting }]);
}

type Begun = Extract<PendingCall, { type: "running" | "settled" }>;

export function hasBegun(pending: PendingCall): pending is Begun {
  return pending.type === "running" || pending.type === "settled";
}
