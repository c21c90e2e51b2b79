import { decisionText } from "@capstan/view";

/** Characters of one text that a user is to decide on; the rest is counted. */
const limitCharacters = 60_000;

/** Text of somebody else, for a decision: what a terminal would obey or hide is written out. Line ends and tabs stay. */
export function visibleText(text: string): string {
  return decisionText(text, { limitCharacters });
}
