import { interactionLines, type ProgressLine } from "@capstan/view";
import type { Asked, Proposed } from "./card-choices.ts";
import { changeText } from "./change-rows.ts";
import { noLines } from "./proposed-rows.ts";

/** Everything that a user needs to decide, line by line. @param now  ms since 1970 */
export function askedLines(asked: Asked, now: number): readonly ProgressLine[] {
  if ("openedAt" in asked) return interactionLines(asked, now);
  const { request } = asked;
  return request.type === "proposed" ? proposedLines(request) : request.lines;
}

function proposedLines({ change, summary, leftAlone }: Proposed["request"]): readonly ProgressLine[] {
  const signs = { added: "+", removed: "-", same: " " } as const;
  const lines = change.lines.map(({ type, text }) => ({ tone: "diff" as const, text: `${signs[type]}${text}` }));
  return [
    { tone: "warning", text: `Proposed: ${changeText(change)}` },
    { tone: "muted", text: summary },
    ...(leftAlone === null ? [] : [{ tone: "bad" as const, text: `Left alone: ${leftAlone}` }]),
    ...(lines.length === 0 ? [{ tone: "muted" as const, text: noLines(change.kind) }] : lines),
  ];
}
