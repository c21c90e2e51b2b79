/** What the documents for users say is what the binary takes and says. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { modeSentences } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { commandWords, wholeProgram } from "../../app/src/program.ts";
import { commandsIn } from "./commands-in-documents.ts";

type Command = ReturnType<typeof wholeProgram>;

const root = join(import.meta.dirname, "../..");
const documents = [
  "README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

function textOf(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** What the binary would say is wrong with a command line; nothing is carried out. */
function problemWith(words: readonly string[]): string | undefined {
  const program = wholeProgram();
  const idle = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: nothing, writeErr: nothing, outputError: nothing });
    if (command.commands.length === 0 || command.registeredArguments.length > 0) command.action(nothing);
    for (const below of command.commands) idle(below);
  };
  idle(program);
  try {
    program.parse(commandWords(words, true), { from: "user" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "it cannot be read";
  }
}

function nothing(): void {
  // The command line is only read.
}

describe("command lines", () => {
  test.each(documents)("every command line in %s is one that the binary takes", (path) => {
    const problems = commandsIn(textOf(path)).flatMap(({ text, words }) => {
      const problem = problemWith(words);
      return problem === undefined ? [] : [`${text}: ${problem}`];
    });
    expect(problems).toEqual([]);
  });

  test("they are found in fences, after prompts, in pipes and in backticks, and a wrong one is noticed", () => {
    const text = [
      "Try `capstan undo`.",
      "```sh",
      "git diff | capstan 'look at it' # piped",
      "$ capstan run --no-such x",
      "```",
    ];
    const found = commandsIn(text.join("\n")).map(({ words }) => words);
    expect(found).toEqual([["undo"], ["look at it"], ["run", "--no-such", "x"]]);
    expect(found.map((words) => problemWith(words) === undefined)).toEqual([true, true, false]);
  });
});

test("every document for users is in the index, and the index names no other", () => {
  const linked = [...textOf("docs/README.md").matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, name = ""]) => `docs/${name}`);
  const expected = documents.filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
  expect(new Set(linked)).toEqual(new Set(expected));
});

test("the page about modes says the sentence of each mode", () => {
  const text = textOf("docs/modes.md").replaceAll(/\s+/g, " ");
  expect(Object.values(modeSentences).filter((sentence) => !text.includes(sentence))).toEqual([]);
});

test("the tour shows every command of its source, in its order", () => {
  expect(promptsIn("docs/tour.md")).toEqual(promptsIn("scripts/tour/tour.md"));
});

function promptsIn(path: string): readonly string[] {
  return textOf(path)
    .split("\n")
    .filter((line) => line.startsWith("$ "));
}
