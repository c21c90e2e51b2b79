import type { Operation, SessionState } from "@capstan/session";
import { unreachable } from "@capstan/protocol";

/** What was under way when the journal ends, and what the next opening makes of it; `null`: nothing. */
export function interruptedWork({ operation, queued }: SessionState): string | null {
  const text = underWay(operation);
  if (queued.length === 0) return text;
  const waiting = `${queued.length} input${queued.length === 1 ? "" : "s"} wait${queued.length === 1 ? "s" : ""} to be worked on`;
  return text === null ? waiting : `${text}; ${waiting}`;
}

function underWay(operation: Operation): string | null {
  switch (operation.type) {
    case "idle":
      return null;
    case "preparing":
      return "a turn had begun, and no model was asked yet: it is asked when the session is opened";
    case "streaming":
      return operation.step.text === ""
        ? "a model was being asked, and nothing was shown yet: it is asked again when the session is opened"
        : "an answer broke off: what was shown is kept, and marked as incomplete, when the session is opened";
    case "tool-loop":
      return callsUnderWay(operation);
    case "interaction":
      return "a limit was reached, and a user is asked: `capstan interactions list` shows it";
    case "recovery":
      return "a question about interrupted calls waits for a user: `capstan interactions list` shows it";
    case "summarizing":
    case "compacting":
      return "a summary was being made: it is made again when the session is opened";
    case "rewinding":
      return "files were being restored: the rest of them is restored when the session is opened";
    case "applying":
      return "proposed changes were being applied: the rest of them is applied when the session is opened";
    default:
      return unreachable(operation);
  }
}

function callsUnderWay({ batch }: Extract<Operation, { type: "tool-loop" }>): string {
  const running = batch.calls.flatMap((pending) =>
    "action" in pending && pending.type !== "settled" && pending.type !== "asking" && pending.type !== "allowed"
      ? [pending.action?.summary ?? pending.call.name]
      : [],
  );
  if (batch.calls.some((pending) => pending.type === "asking" && pending.interaction !== null))
    return "something waits for a user: `capstan interactions list` shows it";
  if (running.length === 0)
    return "calls wait to be started or answered for: that continues when the session is opened";
  return `under way were: ${running.join(", ")}. When the session is opened, what became of them is looked up, and reported or asked about`;
}
