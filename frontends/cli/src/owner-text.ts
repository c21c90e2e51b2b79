import type { SessionOwner } from "@capstan/protocol";
import type { OpenedSession } from "./turn/turn-request.ts";

/** What is said first of a session: nothing where this process has it. */
export function joinedLines({ owner, ignored = [] }: OpenedSession): readonly string[] {
  if (owner.type === "here") return [];
  return [ownerText(owner), ...(ignored.length === 0 ? [] : [`Not in force there: ${ignored.join(", ")}.`])];
}

/** Who writes to the session, as a sentence. */
export function ownerText(owner: SessionOwner): string {
  switch (owner.type) {
    case "here":
      return "This process writes to the session now.";
    case "process":
      return `Process ${owner.processId} (${owner.frontend}) has the session open: the turn runs there, with its settings.`;
    case "none":
      return `The session is read from the store: ${owner.reason}.`;
  }
}
