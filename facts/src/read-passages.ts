import type { Passage } from "@capstan/ports";
import type { JournalRecord, SessionEvent, UserContent } from "@capstan/protocol";
import { maxPassagesPerRecord, passageCharacters } from "./limits.ts";

/** Who said the words of a record. */
export type Speaker = "user" | "model" | "tool";

/** What was said in a record, as far as it is searched; `undefined`: nothing was. */
export function wordsOf(record: JournalRecord): { readonly by: Speaker; readonly text: string } | undefined {
  switch (record.type) {
    case "turn-started":
      return record.call === undefined ? { by: "user", text: textOf(record.content) } : undefined;
    case "turn-steered":
      return { by: "user", text: textOf(record.content) };
    case "step-completed": {
      const blocks = record.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
      return { by: "model", text: blocks.join("\n") };
    }
    case "tool-finished":
      return {
        by: "tool",
        text: record.outcome.type === "done" || record.outcome.type === "failed" ? record.outcome.content : "",
      };
    default:
      return undefined;
  }
}

/** The pieces of what was said, as they are searched. */
export function passagesOf({ seq, record }: SessionEvent): readonly Passage[] {
  return piecesOf(wordsOf(record)?.text ?? "").map((text, part) => ({ seq, part, text }));
}

/** Pieces that end where a line or a word does, if one ends near. */
export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length && pieces.length < maxPassagesPerRecord) {
    const end = endOf(text, start);
    const piece = text.slice(start, end).trim();
    pieces.push(piece);
    start = end;
  }
  return pieces;
}

function endOf(text: string, start: number): number {
  const last = start + passageCharacters;
  if (last >= text.length) return text.length;
  const middle = start + passageCharacters / 2;
  for (const sign of ["\n", ". ", " "]) {
    const at = text.lastIndexOf(sign, last - sign.length);
    if (at >= middle) return at + sign.length;
  }
  // No surrogate pair is torn.
  return /[\ud800-\udbff]/.test(text.charAt(last - 1)) ? last - 1 : last;
}

function textOf(content: readonly UserContent[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
