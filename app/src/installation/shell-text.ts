import type { CommandEntry } from "./command-table.ts";
import type { ValueKind } from "./value-kinds.ts";

/** The key by which a script finds a command: ` sessions show`, with a space before each word. */
export function pathKey(path: readonly string[]): string {
  return path.map((word) => ` ${word}`).join("");
}

/** A word of a shell script, as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** One word that tells a script what can stand there: `words a b`, `sessions`, … */
export function kindText(kind: ValueKind): string {
  return kind.type === "words" ? `words ${kind.words.join(" ")}` : kind.type;
}

/** Every flag with a value, by what can stand there: pairs of the command's key and the flag, grouped. */
export function valuedFlags(table: readonly CommandEntry[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { path, flags } of table)
    for (const { names, value } of flags)
      for (const name of value === undefined ? [] : names) {
        const kind = kindText(value ?? { type: "text" });
        groups.set(kind, [...(groups.get(kind) ?? []), `${pathKey(path)} ${name}`]);
      }
  return groups;
}
