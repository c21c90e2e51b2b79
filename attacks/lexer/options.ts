import { parseArgs } from "node:util";
import { defaultCount, nightlyCount } from "./limits.ts";
import { type WrongLexer, wrongLexers } from "./wrong-lexers.ts";

/** What `npm run attacks:lexer` was asked for. */
export interface LexerFuzzOptions {
  /** Scripts generated; those the lexer accepts are run. */
  readonly count: number;
  readonly seed: number;
  /** A lexer with a known fault in place of the real one: shows that the comparison would notice. */
  readonly wrong: WrongLexer | undefined;
}

/** @throws with the flag's name and what it takes */
export function readOptions(args: readonly string[]): LexerFuzzOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: { type: "string" },
      seed: { type: "string" },
      nightly: { type: "boolean", default: false },
      wrong: { type: "string" },
    },
  });
  return {
    count: whole("--count", values.count) ?? (values.nightly ? nightlyCount : defaultCount),
    seed: whole("--seed", values.seed) ?? Date.now() % 1_000_000_000,
    wrong: values.wrong === undefined ? undefined : wrongNamed(values.wrong),
  };
}

function whole(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag} takes a whole number, not ${text}`);
  return Number(text);
}

function wrongNamed(name: string): WrongLexer {
  const found = wrongLexers.find((wrong) => wrong.name === name);
  if (found !== undefined) return found;
  throw new Error(`--wrong takes ${wrongLexers.map((wrong) => wrong.name).join(", ")}, not ${name}`);
}
