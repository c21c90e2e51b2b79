import { AppError } from "@capstan/protocol";
import { readAtMost, withPinnedFile } from "../paths/pinned-file.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import type { ProtectedLinks } from "../paths/hard-links.ts";
import type { FoundFile } from "./collect-matches.ts";
import { decodeText, splitLines } from "./decode-text.ts";
import { maxKeptLineLength, maxLineLength, maxNamedFileBytes } from "./limits.ts";
import type { LineMatch } from "./ripgrep/ripgrep-events.ts";

/** A file to be shown. */
export interface ShownFile {
  readonly file: ResolvedPath;
  readonly found: FoundFile;
  /** Its name in the result, inert. */
  readonly name: string;
  readonly contextLines: number;
  readonly links: ProtectedLinks;
}

/** A match as it is shown, and where it is. */
export interface ShownMatch {
  readonly text: string;
  readonly match: LineMatch;
}

/**
 * The lines of a result for one file. What is shown is read here, by descriptor, and must still be what was found:
 * a file that was replaced meanwhile shows nothing.
 * @returns one item for each match, with the context in front of it; nothing for a file that changed or must not be read
 */
export async function showMatches(shown: ShownFile): Promise<readonly ShownMatch[]> {
  const lines = await readLines(shown);
  const matches = shown.found.matches.filter(({ line, text }) => lines[line - 1]?.slice(0, maxKeptLineLength) === text);
  return matches.map((match, index) => ({
    match,
    text:
      shown.contextLines === 0
        ? showLine(shown.name, match, lines[match.line - 1] ?? "")
        : showGroup(shown, matches, index, lines),
  }));
}

async function readLines(shown: ShownFile): Promise<readonly string[]> {
  try {
    const content = await withPinnedFile(shown.file, async (file, stats) => {
      // A protected file may have a second name that does not look like it.
      return (await shown.links.include(stats)) ? Buffer.alloc(0) : await readAtMost(file, maxNamedFileBytes);
    });
    return splitLines(decodeText(content) ?? "");
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

function showGroup(
  { name, contextLines }: ShownFile,
  matches: readonly LineMatch[],
  index: number,
  lines: readonly string[],
): string {
  const match = matches[index] ?? { line: 0, column: 0, text: "" };
  const previous = matches[index - 1]?.line;
  const next = matches[index + 1]?.line ?? Number.POSITIVE_INFINITY;
  const shownUntil = previous === undefined ? 0 : previous + contextLines;
  const begin = Math.max(1, match.line - contextLines, Math.min(shownUntil, match.line - 1) + 1);
  const end = Math.min(match.line + contextLines, next - 1, lines.length);
  const isApart = previous !== undefined && begin > shownUntil + 1;
  const around = (line: number): string => `${name}-${line}- ${cutLine(lines[line - 1] ?? "", 0)}`;
  return [
    ...(isApart ? ["--"] : []),
    ...range(begin, match.line - 1).map(around),
    showLine(name, match, lines[match.line - 1] ?? ""),
    ...range(match.line + 1, end).map(around),
  ].join("\n");
}

function showLine(name: string, { line, column }: LineMatch, text: string): string {
  return `${name}:${line}: ${cutLine(text, column)}`;
}

/** A long line keeps what is around the match. */
function cutLine(text: string, column: number): string {
  if (text.length <= maxLineLength) return text;
  const wanted = Math.max(0, column - Math.floor(maxLineLength / 4));
  const begin = Math.min(wanted, text.length - maxLineLength);
  const part = text.slice(begin, begin + maxLineLength).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${begin > 0 ? "…" : ""}${part}${begin + maxLineLength < text.length ? "…" : ""}`;
}

function range(begin: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - begin + 1) }, (_, index) => begin + index);
}
