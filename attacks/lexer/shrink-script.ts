import { isComparable } from "./compare.ts";
import type { Dialect } from "./dialects.ts";
import { acceptedBy, type Disagreement, disagreementsOf } from "./fuzz.ts";
import { maxShrinkRounds } from "./limits.ts";
import type { Lexer } from "./wrong-lexers.ts";

/** The shortest script found by cutting pieces out that the lexer still accepts and the shell still sees otherwise. */
export async function shrinkScript(start: Disagreement, lexer: Lexer, dialect: Dialect): Promise<Disagreement> {
  let smallest = start;
  for (let round = 0; round < maxShrinkRounds; round += 1) {
    const shorter = cutsOf(smallest.script)
      .flatMap((script) => acceptedBy(lexer, script))
      .filter((accepted) => isComparable(accepted, dialect));
    const [next] = (await disagreementsOf(dialect, shorter)).toSorted((a, b) => a.script.length - b.script.length);
    if (next === undefined) break;
    smallest = next;
  }
  return smallest;
}

/** The text without one piece of it, for pieces of half, a quarter, … one character, anywhere. */
function cutsOf(text: string): readonly string[] {
  const cuts = new Set<string>();
  for (let size = Math.ceil(text.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at + size <= text.length; at += Math.max(1, Math.floor(size / 2))) {
      cuts.add(text.slice(0, at) + text.slice(at + size));
    }
  }
  cuts.delete(text);
  return [...cuts].filter((cut) => cut !== "");
}
