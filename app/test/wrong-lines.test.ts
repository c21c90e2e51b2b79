import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sampled } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { type CommandEntry, commandTable, type FlagEntry, type WordEntry } from "../src/installation/command-table.ts";
import { commandWords, fits, wholeProgram } from "../src/program.ts";
import { newFolder, runWords } from "./run-words.ts";

/** As many as the whole tier tries, and the fast one. */
const lines = 400;
const fewLines = 60;

/** Flags that take a number or a duration. */
const numeric: ReadonlySet<string> = new Set([
  "--max-turns",
  "--max-budget-usd",
  "--timeout",
  "--limit",
  "--to",
  "--port",
  "--effort",
]);

const table = commandTable(wholeProgram()).filter(({ path }) => path.length > 0);

/** Every kind of mistake, in every command. */
function mistakes(entry: CommandEntry): readonly (readonly string[])[] {
  const { path, commands, words } = entry;
  if (commands.length > 0 && words.length === 0)
    // Some groups list what they have when no command of theirs is named: `capstan facts WORDS` is no mistake.
    return [[...path, "frobnicate"], [...path, "frobnicate", "x"], [...path]].filter((line) => !fits(line));
  const base = [...path, ...words.filter(isRequired).map(fitting)];
  return [
    [...base, "--no-such-flag"],
    ...(words.some(isRequired) ? [path] : []),
    ...(words.some(({ usage }) => usage.includes("..."))
      ? []
      : [[...base, ...words.filter(isOptional).map(fitting), "surplus"]]),
    ...words.flatMap(({ value }, at) =>
      value.type === "words" ? [[...path, ...base.slice(path.length, path.length + at), "nonsense"]] : [],
    ),
    ...entry.flags.flatMap((flag) => flagMistakes(flag).map((wrong) => [...base, ...wrong])),
  ];
}

function flagMistakes({ names, value }: FlagEntry): readonly (readonly string[])[] {
  const name = names.at(-1) ?? "";
  if (name === "--help" || name === "--version") return [];
  const misspelt =
    name.length < 8 ? [] : [[`${name.slice(0, 4)}${name.slice(5)}`, ...(value === undefined ? [] : ["x"])]];
  if (value === undefined) return misspelt;
  return [
    ...misspelt,
    [name],
    ...(value.type === "words" ? [[name, "nonsense"]] : []),
    ...(numeric.has(name) ? [[name, "many"]] : []),
  ];
}

function isRequired({ usage }: WordEntry): boolean {
  return usage.startsWith("<");
}

function isOptional({ usage }: WordEntry): boolean {
  return usage.startsWith("[") && !usage.includes("...");
}

function fitting({ value }: WordEntry): string {
  return value.type === "words" ? (value.words[0] ?? "") : "missing";
}

const all = table.flatMap(mistakes);
const step = Math.max(1, Math.floor(all.length / lines));
const chosen = all.filter((_, at) => at % step === 0).slice(0, lines);

test("there are 400 of them, of every command", () => {
  expect(chosen.length).toBe(lines);
  for (const { path } of table) expect(all.some((line) => path.every((word, at) => line[at] === word))).toBe(true);
});

describe("a wrong command line", () => {
  test.for(sampled(chosen, fewLines))(
    "%j: one line says what is wrong, one what to paste; exit 2, and no turn",
    async (line) => {
      const home = join(newFolder(), "home");
      mkdirSync(home, { mode: 0o700 });
      const { code, stdout, stderr } = await runWords(line, home);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      const [, remedy = ""] = /^capstan: [^\n]+ \[[\w.-]+\]\n {2}Try: capstan ([^\n]+)\n$/.exec(stderr) ?? [];
      expect(stderr).toContain(`Try: capstan ${remedy === "" ? "…" : remedy}`);
      const words = commandWords(unquoted(remedy), false);
      expect(fits(words)).toBe(true);
      expect(words).not.toEqual(line);
      expect(await helpCode(words, home)).toBe(0);
      if (!existsSync(join(home, "capstan.db"))) return;
      expect((await runWords(["sessions", "list", "--json"], home)).stdout).toBe("");
    },
  );
});

/** The exit code of a line that shows help; others are run elsewhere. */
async function helpCode(words: readonly string[], home: string): Promise<number> {
  return words.includes("--help") ? (await runWords(words, home)).code : 0;
}

/** The words of a line, as a shell reads what we quote. */
function unquoted(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\(')/g, (_, inside?: string, mark?: string) => inside ?? mark ?? ""),
  );
}

test.for(table.map(({ path }) => path))("the help of %j fits 80 columns", async (path) => {
  const { stdout } = await runWords([...path, "--help"]);
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});
