import { type Interaction, unreachable } from "@capstan/protocol";
import type { Operation } from "./state.ts";

/** Everything that waits for a user now, in the order of the calls it is about. */
export function pendingInteractions(operation: Operation): readonly Interaction[] {
  switch (operation.type) {
    case "interaction":
    case "recovery":
      return [operation.interaction];
    case "tool-loop":
      return operation.batch.calls.flatMap((pending) =>
        pending.type === "asking" && pending.interaction !== null ? [pending.interaction] : [],
      );
    case "idle":
    case "preparing":
    case "streaming":
    case "summarizing":
    case "compacting":
    case "rewinding":
      return [];
    default:
      return unreachable(operation);
  }
}
