import { textCells } from "@capstan/view";

/** A line that is typed without a caret of its own, with a letter less at its end. */
export function withoutLastLetter(line: string): string {
  const letters = Array.from(textCells(line), ([letter]) => letter);
  return letters.slice(0, -1).join("");
}
