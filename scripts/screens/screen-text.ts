import type { Role } from "@capstan/view";
import type { Theme } from "../../frontends/tui/src/terminal/theme.ts";
import type { GoldenScreen } from "./screens.ts";
import { type PaintedCell, type PaintedScreen, paintScreen } from "./paint-screen.ts";

/** A letter for each role; of a cell with several, the last one's. */
const letters: Readonly<Record<Role, string>> = {
  strong: "S",
  emphasis: "E",
  strike: "K",
  link: "L",
  code: "c",
  muted: "m",
  good: "g",
  bad: "b",
  warning: "w",
  accent: "a",
  user: "u",
  added: "+",
  removed: "-",
  "added-mark": "p",
  "removed-mark": "q",
  selected: "s",
};

const paletteFrom = 100;
const roleTheme: Theme = Object.fromEntries(Object.keys(letters).map((role, at) => [role, `38;5;${paletteFrom + at}`]));
const letterOf: ReadonlyMap<string, string> = new Map(
  Object.values(letters).map((letter, at) => [`38;5;${paletteFrom + at}`, letter]),
);

/** A golden screen as its file holds it: the lines, where the caret stands, and how they look. */
export async function screenText(screen: GoldenScreen): Promise<string> {
  const painted = await paintScreen(screen, screen.theme ?? roleTheme);
  const { lines, top, caret } = painted;
  const shown = lines.slice(0, lines.findLastIndex((line) => textOf(line) !== "") + 1);
  const text = shown.map((line, at) => `${at < top ? "^" : "|"}${textOf(line)}`);
  return [
    ...text,
    `caret: row ${caret.row}, column ${caret.column}`,
    screen.theme === undefined ? "roles:" : "styles:",
    ...(screen.theme === undefined ? shown.map(rolesOf) : shown.map(stylesOf)),
    "",
  ].join("\n");
}

function textOf(line: PaintedScreen["lines"][number]): string {
  return line
    .map(({ text }) => text)
    .join("")
    .trimEnd();
}

function rolesOf(line: readonly PaintedCell[]): string {
  const roles = line.map(({ text, style }) => (text === "" ? "" : (letterOf.get(style) ?? " ")));
  return `|${roles.join("").trimEnd()}`;
}

/** Where each style begins, and what it is. */
function stylesOf(line: readonly PaintedCell[]): string {
  const starts = line.flatMap(({ style }, at) => {
    const before = at === 0 ? "" : (line[at - 1]?.style ?? "");
    return style === before ? [] : [`${at}:${style === "" ? "-" : style}`];
  });
  return `|${starts.join(" ")}`;
}
