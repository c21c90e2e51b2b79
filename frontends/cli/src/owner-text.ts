import type { SessionOwner } from "@capstan/protocol";

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
