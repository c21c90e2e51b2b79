import { type Interaction, unreachable } from "@capstan/protocol";
import type { Operation, PendingCall } from "./state.ts";

/** Everything that waits for a user now, in the order of the calls it is about. */
export function pendingInteractions(operation: Operation): readonly Interaction[] {
  switch (operation.type) {
    case "interaction":
    case "recovery":
      return [operation.interaction];
    case "tool-loop":
      return operation.batch.calls.flatMap((pending) => questionOf(pending) ?? []);
    case "idle":
    case "preparing":
    case "streaming":
    case "summarizing":
    case "compacting":
    case "rewinding":
    case "applying":
      return [];
    default:
      return unreachable(operation);
  }
}

/** What a call is waiting to be answered: whether it may run, or what it asks while it does. */
export function questionOf(pending: PendingCall): Interaction | null {
  if (pending.type === "running") return pending.question;
  return pending.type === "asking" ? pending.interaction : null;
}
