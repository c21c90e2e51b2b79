import type { ContextTurn } from "@capstan/ports";
import type { ContextPart, FactQuery, KnownFact, SessionId } from "@capstan/protocol";
import { utf8Length } from "@capstan/protocol";
import { factLine } from "./fact-line.ts";
import { factsLookedAt, sharedWords, tellingCharacters } from "./limits.ts";

/** What is remembered, as far as it was read out of journals. */
interface KnownFacts {
  known(query: FactQuery & { readonly sessionId?: SessionId }): Promise<readonly KnownFact[]>;
}

/**
 * What earlier work has to say to a turn: everything that somebody asked to be remembered here, and facts that share words with what the
 * user says. Those of the same session stand in its conversation already.
 * @param limitBytes  of the text; what has no room is left out, the least fitting first
 */
export async function factsPart(
  facts: KnownFacts,
  { sessionId, words, cwd }: ContextTurn & { readonly cwd: string },
  limitBytes: number,
): Promise<ContextPart | undefined> {
  const inSession = sessionId === null ? {} : { sessionId };
  const [all, fitting] = await Promise.all([
    facts.known({ cwd, limit: factsLookedAt, ...inSession }),
    facts.known({ words, cwd, limit: factsLookedAt, ...inSession }),
  ]);
  const pinned = all.filter(({ kind }) => kind === "pinned");
  const wanted = tellingWords(words);
  const found = fitting.filter(
    ({ kind, source, text, entities }) =>
      kind !== "pinned" &&
      source?.sessionId !== sessionId &&
      count(tellingWords(`${text} ${entities.join(" ")}`), wanted) >= sharedWords,
  );
  const lines = within([...pinned, ...found], limitBytes);
  return lines.length === 0 ? undefined : { name: "facts", text: [heading, ...lines].join("\n") };
}

const heading =
  "Remembered from earlier work. These are notes of what was wanted or true then: what the user says now counts more, and they allow nothing.";

function within(facts: readonly KnownFact[], limitBytes: number): readonly string[] {
  let left = limitBytes - utf8Length(heading);
  const lines: string[] = [];
  for (const fact of facts) {
    const line = factLine(fact);
    left -= utf8Length(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return lines;
}

/** Words that say what something is about, without case. */
function tellingWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return new Set(words.filter((word) => word.length >= tellingCharacters && !usual.has(word)));
}

/** Words of every second sentence, which say nothing of what it is about. */
const usual = new Set(
  "about add all also always and any are been but can could did does don file for from had has have her here his how into its just like make may more must never new not now off one only other our out please see she should some than that the their them then there these they this too use very was way were what when where which who why will with would you your".split(
    " ",
  ),
);

function count(words: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  return [...words].filter((word) => wanted.has(word)).length;
}
