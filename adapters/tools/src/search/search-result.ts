import type { ToolResult } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";
import type { ProtectedLinks } from "../paths/hard-links.ts";
import { maxPathBytes } from "../paths/limits.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { BoundedLines } from "./bounded-lines.ts";
import type { FoundFile, MatchCollection } from "./collect-matches.ts";
import { fileBelow } from "./file-below.ts";
import { outputRoom } from "../output-room.ts";
import { maxStructuredMatches, reservedResultBytes } from "./limits.ts";
import type { SearchEnd } from "./search-files.ts";
import type { SearchRequest } from "./search-request.ts";
import { type ShownMatch, showMatches } from "./show-matches.ts";

export interface SearchOutcome {
  readonly request: SearchRequest;
  readonly start: ResolvedPath;
  readonly found: MatchCollection;
  readonly end: Extract<SearchEnd, { readonly type: "complete" | "incomplete" }>;
  readonly outputBytes: number;
  readonly links: ProtectedLinks;
  shown(realPath: string): string;
}

/** What the model reads: totals, then as many lines as fit, then what to do about the rest. */
export async function searchResult(outcome: SearchOutcome): Promise<ToolResult> {
  const { found, end, request } = outcome;
  const { items, places } = await shownLines(outcome);
  const total = request.output === "files" ? found.fileCount : found.matchCount;
  const isCut = request.offset - 1 + items.count < total || end.type === "incomplete";
  const isLate = end.type === "incomplete" && end.reason === "time";
  const notes = [
    ...(isCut || request.offset > 1 ? [advice(outcome, items.count, total)] : []),
    ...cappedLine(outcome),
    ...skippedLine(outcome),
  ];
  const content = [headLine(outcome), ...items.lines, ...notes].join("\n");
  const details: JsonObject = {
    matches: found.matchCount,
    files: found.fileCount,
    shown: items.count,
    truncated: isCut,
    timed_out: isLate,
    places,
  };
  return isLate ? { status: "failed", code: "tool.timeout", content, details } : { status: "ok", content, details };
}

async function shownLines(
  outcome: SearchOutcome,
): Promise<{ readonly items: BoundedLines; readonly places: readonly JsonObject[] }> {
  const { found, request } = outcome;
  const items = new BoundedLines(request.maxResults, outputRoom(outcome.outputBytes, reservedResultBytes));
  const places: JsonObject[] = [];
  for (const file of fromOffset(found.first(), request)) {
    const name = inertText(outcome.shown(fileBelow(outcome.start, file.path).real), maxPathBytes);
    const lines = request.output === "files" ? [countLine(name, file)] : await contentLines(outcome, file, name);
    if (request.contextLines > 0 && lines.length > 0) items.separate();
    for (const line of lines) {
      items.add(line.text);
      if (items.isFull) break;
      if (places.length < maxStructuredMatches) places.push({ path: name, ...line.place });
    }
    if (items.isFull) break;
  }
  return { items, places };
}

/** A line of the result, and where in its file that is. */
interface ResultLine {
  readonly text: string;
  readonly place: JsonObject;
}

/** What was found, without what earlier pages have shown. */
function fromOffset(files: readonly FoundFile[], { offset, output }: SearchRequest): readonly FoundFile[] {
  if (output === "files") return files.slice(offset - 1);
  let before = offset - 1;
  return files.flatMap((file) => {
    const matches = file.matches.slice(before);
    before = Math.max(0, before - file.matches.length);
    return matches.length === 0 ? [] : [{ ...file, matches }];
  });
}

async function contentLines(outcome: SearchOutcome, found: FoundFile, name: string): Promise<readonly ResultLine[]> {
  const file = fileBelow(outcome.start, found.path);
  const contextLines = outcome.request.contextLines;
  const shown = await showMatches({ file, found, name, contextLines, links: outcome.links });
  return shown.map(({ text, match }: ShownMatch) => ({ text, place: { line: match.line, column: match.column + 1 } }));
}

function countLine(name: string, { matchCount }: FoundFile): ResultLine {
  return { text: `${name}: ${matchCount}`, place: { matches: matchCount } };
}

function cappedLine({ found, request }: SearchOutcome): readonly string[] {
  if (found.cappedFiles === 0) return [];
  const files = found.cappedFiles === 1 ? "1 file has" : `${found.cappedFiles} files have`;
  return [`[at most ${request.maxMatchesPerFile ?? 0} lines of a file are counted; ${files} more.]`];
}

function headLine({ request, start, found, end }: SearchOutcome): string {
  const more = end.type === "incomplete" ? "more than " : "";
  const pattern = inertText(request.query.pattern, messageLength);
  if (found.matchCount === 0) {
    const none =
      end.type === "complete" && end.skipped.isEmpty ? "No lines match" : "Nothing found where it was searched";
    return `${none}: ${pattern} (in ${inertText(start.shown, messageLength)})`;
  }
  const lines = found.matchCount === 1 ? "1 matching line" : `${more}${found.matchCount} matching lines`;
  return `${lines} in ${found.fileCount === 1 ? "1 file" : `${found.fileCount} files`}`;
}

/** Binary files are spoken of only where nothing was found: they may be why. */
function skippedLine(outcome: SearchOutcome): readonly string[] {
  const { end, found, start } = outcome;
  const line = end.skipped.line(found.matchCount === 0, (path) => outcome.shown(fileBelow(start, path).real));
  return line === undefined ? [] : [line];
}

function advice({ end, request }: SearchOutcome, shownCount: number, total: number): string {
  const unit = request.output === "files" ? "files" : "lines";
  const narrow = "Narrow it with path, include_glob or a longer pattern";
  const last = request.offset - 1 + shownCount;
  const first = request.offset > 1 ? `${request.offset} to ` : "";
  if (end.type === "complete") {
    if (shownCount === 0 && request.offset > 1)
      return `[offset ${request.offset} is behind the last of ${total} ${unit}.]`;
    const next = last < total ? ` ${narrow}, or continue with offset ${last + 1}.` : "";
    return `[shown: ${first}${last} of ${total} ${unit}.${next}]`;
  }
  return `[stopped: ${whyStopped[end.reason]}; shown: ${first}${last} ${unit}. ${narrow}.]`;
}

const whyStopped = {
  time: "it took too long",
  count: "there is too much",
  files: "max_files were searched",
} as const;

/** UTF-16 units of a pattern or path in a message. */
const messageLength = 200;
