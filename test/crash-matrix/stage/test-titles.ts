import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a test file holds, as far as the matrix names it. */
export interface TestFile {
  /** Titles as they stand in the source, placeholders included. */
  readonly titles: readonly string[];
  /** Those of the tests that the fast tier runs, if the file belongs to it. */
  readonly fastTitles: readonly string[];
  /** The source, and that of the modules beside the tests that it takes its cases from. */
  readonly text: string;
}

/** What the fast tier's tests are called by. */
export const fastTests: readonly string[] = ["test", "it"];

export function readTestFile(root: string, file: string): TestFile {
  const path = join(root, file);
  const own = readFileSync(path, "utf8");
  const cases = importsOf(own)
    .filter((from) => /phases\.ts$|ending|preload\.ts$|fault-fixture\.ts$|provider-fault-rows\.ts$/.test(from))
    .map((from) => join(dirname(path), from));
  const rows = cases.some((from) => from.endsWith("fault-fixture.ts"))
    ? [join(root, "scripts", "reference", "provider-fault-rows.ts")]
    : [];
  return {
    titles: titlesIn(own),
    fastTitles: titlesIn(own, fastTests),
    text: [own, ...[...cases, ...rows].map((from) => readFileSync(from, "utf8"))].join("\n"),
  };
}

/**
 * The titles of the tests in a source: the first argument of a call of `test`, `it` or `slowTest`, be it plain, skippable, or of
 * `each`/`for` with its cases. A title that is put together by a template is left out.
 */
export function titlesIn(source: string, names: readonly string[] = [...fastTests, "slowTest"]): readonly string[] {
  const titles: string[] = [];
  for (const { index, 0: head } of source.matchAll(new RegExp(String.raw`^[ \t]*(?:${names.join("|")})\b`, "gm"))) {
    const rest = source.slice(index + head.length);
    const title = titleAfter(rest);
    if (title !== null) titles.push(title);
  }
  return titles;
}

/** Follows `.each<…>(…)` and its like to the arguments of the test itself. */
function titleAfter(rest: string): string | null {
  let at = 0;
  for (let member = /^\.(\w+)/.exec(rest); member !== null; member = /^\.(\w+)/.exec(rest.slice(at))) {
    at += member[0].length;
    if (!["each", "for", "skipIf", "runIf"].includes(member[1] ?? "")) continue;
    if (rest[at] === "<") at = closing(rest, at, "<", ">");
    if (rest[at] !== "(") return null;
    at = closing(rest, at, "(", ")");
  }
  const quoted = /^\(\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)/.exec(rest.slice(at));
  return quoted?.[1]?.slice(1, -1).replaceAll(/\\(.)/g, "$1") ?? null;
}

/** Behind the bracket that closes the one at `start`; brackets in texts do not count. */
function closing(text: string, start: number, open: string, close: string): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"' || sign === "'" || sign === "`") at = endOfText(text, at);
    else if (sign === open) depth += 1;
    else if (sign === close && text[at - 1] !== "=") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** The place of the quotation mark that closes the one at `start`. */
function endOfText(text: string, start: number): number {
  const mark = text[start];
  let at = start + 1;
  while (at < text.length && text[at] !== mark) at += text[at] === "\\" ? 2 : 1;
  return at;
}

function importsOf(source: string): readonly string[] {
  return [...source.matchAll(/from "(\.[^"]+)"/g)].map(([, from = ""]) => from);
}
