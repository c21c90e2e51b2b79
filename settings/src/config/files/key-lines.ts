import { maxPathSegments } from "../config-limits.ts";
import { type ConfigSegments, pathText } from "../keys/config-path.ts";
import { tomlStatements } from "./toml-statements.ts";

/**
 * The line each key and table header of a TOML text stands on, by written path; entries of arrays of tables have their
 * number (from 0) as a name. Keys inside inline tables stand where their table does.
 * @param text  valid TOML: a parser has already refused anything else
 */
export function keyLines(text: string): KeyLines {
  const lines = new Map<string, number>();
  for (const { table, names, line } of tomlStatements(text)) note(lines, table, names, line);
  return { lineOf: (segments) => lineOf(lines, segments) };
}

export interface KeyLines {
  /** The line of a path, or of the nearest table around it. */
  lineOf(segments: ConfigSegments): number | undefined;
}

function lineOf(lines: ReadonlyMap<string, number>, segments: ConfigSegments): number | undefined {
  for (let length = segments.length; length > 0; length -= 1) {
    const line = lines.get(pathText(segments.slice(0, length)));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Notes a path and the tables on the way to it. The first mention of each counts. */
function note(lines: Map<string, number>, table: ConfigSegments, names: ConfigSegments, line: number): void {
  const segments = [...table, ...names].slice(0, maxPathSegments);
  for (let length = table.length + 1; length <= segments.length; length += 1) {
    const path = pathText(segments.slice(0, length));
    if (!lines.has(path)) lines.set(path, line);
  }
}
