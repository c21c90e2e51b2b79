import type { UserContent } from "@capstan/protocol";
import { titleCharacters, titleSearchedUnits } from "./limits.ts";

/**
 * A session's title: the first line of a turn's text that has something to show.
 * @returns at most `titleCharacters` inert characters; empty when there is no text (media only, white space only)
 */
export function sessionTitle(content: readonly UserContent[]): string {
  for (const part of content) {
    if (part.type !== "text") continue;
    const title = titleLine(part.text);
    if (title !== "") return title;
  }
  return "";
}

/** The first line of a text that has something to show. @returns at most `titleCharacters` inert characters; empty when there is none */
export function titleLine(text: string): string {
  const start = Math.max(0, text.search(/\S/u));
  const searched = text.slice(start, start + titleSearchedUnits);
  for (const line of searched.split(/[\n\r\v\f\u0085\u2028\u2029]/u)) {
    const shown = inert(line);
    if (shown !== "") return cut(shown);
  }
  return "";
}

/** Counts code points, so that no surrogate pair is torn. */
function cut(line: string): string {
  return Array.from(line).slice(0, titleCharacters).join("").trimEnd();
}

/** Without control, bidi and other invisible characters; the joiner stays, because it holds emoji together. */
function inert(line: string): string {
  return line
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/(?!\u200D)[\p{Cc}\p{Cf}\p{Cs}]/gu, "")
    .trim();
}
