import type { SessionOwner } from "@capstan/protocol";
import type { ProgressLine } from "@capstan/view";
import type { BehindNews, OpenedSession } from "./turn/turn-request.ts";

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

/** What is said of words that others sent behind this run's own. */
export function behindLines(news: BehindNews): readonly ProgressLine[] {
  switch (news.type) {
    case "begun":
      return [{ tone: "muted", text: `Before it ends, this run works on what ${news.by} sent: ${news.words}` }];
    case "ended":
      return news.outcome === "done" ? [] : [{ tone: "warning", text: `That turn ended: ${news.outcome}.` }];
    case "left":
      return [
        { tone: "warning", text: `What others sent is not finished; it waits: capstan resume ${news.sessionId}` },
      ];
    case "event":
      return [];
  }
}
