import { type Draft, draftOf, draftText, endOf } from "../../src/draft/draft.ts";

/** A draft of a text in which `|` marks the caret. */
export function draftOfMarked(marked: string): Draft {
  const at = marked.indexOf("|");
  const before = draftOf(at === -1 ? marked : marked.slice(0, at));
  const draft = draftOf(at === -1 ? marked : marked.slice(0, at) + marked.slice(at + 1));
  return { ...draft, caret: endOf(before.lines) };
}

export function markedText({ lines, caret }: Draft): string {
  const before = draftText({ lines: [...lines.slice(0, caret.line), (lines[caret.line] ?? []).slice(0, caret.at)] });
  const text = draftText({ lines });
  return `${before}|${text.slice(before.length)}`;
}
