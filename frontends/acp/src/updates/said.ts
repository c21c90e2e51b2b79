import { type Cell, inertLine, interactionSummary, type NoticeCell } from "@capstan/view";
import { shownText } from "./shown-input.ts";
import { titleCharacters } from "../limits.ts";
import { type SessionUpdate, textBlock } from "./update-types.ts";

/** What a client can show, as it said of itself. */
export interface ClientFeatures {
  readonly notices: boolean;
  readonly compaction: boolean;
  /** Forms, for questions. */
  readonly forms: boolean;
  /** It can start the agent in a terminal. */
  readonly terminalLogin: boolean;
}

/** Where a client has no notices, what a user should know is a message; what is merely worth knowing is left out. */
export function noticeUpdate(
  { level, text }: Pick<NoticeCell, "level" | "text">,
  id: string,
  features: ClientFeatures,
): readonly SessionUpdate[] {
  if (features.notices)
    return [{ sessionUpdate: "notice", severity: level, title: shownText(text.trim() === "" ? level : text) }];
  return level === "info" ? [] : [messageUpdate(text, id)];
}

/** Words of Capstan's own, as a message. */
export function messageUpdate(text: string, id: string): SessionUpdate {
  return { sessionUpdate: "agent_message_chunk", content: textBlock(shownText(text)), messageId: id };
}

/** What a cell says in a line, where it is neither a message nor a call; `undefined`: nothing. */
export function saidBy(cell: Cell): { readonly level: NoticeCell["level"]; readonly text: string } | undefined {
  switch (cell.type) {
    case "notice":
      return { level: cell.level, text: cell.text };
    case "recovery":
      return { level: "warning", text: `After an interruption: ${cell.found}` };
    case "grant": {
      const { change } = cell;
      const text = change.type === "added" ? `Remembered: ${change.rule}` : `Revoked: ${change.grantId}`;
      return { level: "info", text };
    }
    case "rewind": {
      if (cell.result === null) return undefined;
      const { restored, conflicts } = cell.result;
      const direction = cell.direction === "back" ? "taken back" : "brought back";
      const left = conflicts.map(({ path, reason }) => `; ${path} was left alone: ${reason}`).join("");
      return {
        level: "warning",
        text: `${cell.turns.length} turns were ${direction}, ${restored.length} files restored${left}`,
      };
    }
    case "retry":
      return cell.isFinal
        ? undefined
        : { level: "info", text: `The model is asked again (attempt ${cell.attempt}): ${cell.message}` };
    case "turn-end": {
      if (cell.message === undefined || cell.outcome === "done" || cell.outcome === "interrupted") return undefined;
      return { level: "warning", text: `${cell.message}${cell.hint === undefined ? "" : `. ${cell.hint}`}` };
    }
    case "user":
    case "answer":
    case "call":
    case "compaction":
    case "interaction":
      return undefined;
  }
}

/** A question that belongs to no call has a place of its own among the calls; `undefined`: it belongs to one. */
export function standaloneQuestion(cell: Cell): { readonly id: string; readonly title: string } | undefined {
  if (cell.type !== "interaction") return undefined;
  const { id, request } = cell.interaction;
  if (request.type !== "budget" && request.type !== "recovery") return undefined;
  return { id: questionId(id), title: inertLine(interactionSummary(cell.interaction), titleCharacters) };
}

export function questionId(interactionId: string): string {
  return `question-${interactionId}`;
}
