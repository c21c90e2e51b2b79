import type { ToolResult } from "@capstan/ports";
import { inertText } from "../paths/inert-text.ts";
import type { ProtectedLinks } from "../paths/hard-links.ts";
import { maxPathBytes } from "../paths/limits.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { BoundedLines } from "./bounded-lines.ts";
import type { FoundFile, MatchCollection } from "./collect-matches.ts";
import { fileBelow } from "./file-below.ts";
import { outputRoom } from "../output-room.ts";
import { reservedResultBytes } from "./limits.ts";
import type { SearchEnd } from "./search-files.ts";
import type { SearchRequest } from "./search-request.ts";
import { showMatches } from "./show-matches.ts";

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
  const items = new BoundedLines(request.maxResults, outputRoom(outcome.outputBytes, reservedResultBytes));
  for (const file of found.first()) {
    const name = inertText(outcome.shown(fileBelow(outcome.start, file.path).real), maxPathBytes);
    const lines = request.output === "files" ? [countLine(name, file)] : await contentLines(outcome, file, name);
    if (request.contextLines > 0 && lines.length > 0) items.separate();
    for (const line of lines) items.add(line);
    if (items.isFull) break;
  }
  const total = request.output === "files" ? found.fileCount : found.matchCount;
  const isCut = items.count < total || end.type === "incomplete";
  const skipped = skippedLine(outcome);
  const notes = [...(isCut ? [advice(outcome, items.count, total)] : []), ...(skipped === undefined ? [] : [skipped])];
  const content = [headLine(outcome), ...items.lines, ...notes].join("\n");
  const details = { matches: found.matchCount, files: found.fileCount, shown: items.count, truncated: isCut };
  if (end.type === "incomplete" && end.reason === "time") {
    return { status: "failed", code: "tool.timeout", content, details };
  }
  return { status: "ok", content, details };
}

async function contentLines(outcome: SearchOutcome, found: FoundFile, name: string): Promise<readonly string[]> {
  const file = fileBelow(outcome.start, found.path);
  const contextLines = outcome.request.contextLines;
  return await showMatches({ file, found, name, contextLines, links: outcome.links });
}

function countLine(name: string, { matchCount }: FoundFile): string {
  return `${name}: ${matchCount}`;
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
function skippedLine(outcome: SearchOutcome): string | undefined {
  const { end, found, start } = outcome;
  return end.skipped.line(found.matchCount === 0, (path) => outcome.shown(fileBelow(start, path).real));
}

function advice({ end, request }: SearchOutcome, shownCount: number, total: number): string {
  const unit = request.output === "files" ? "files" : "lines";
  const narrow = "Narrow it with path, include_glob or a longer pattern";
  if (end.type === "complete") return `[shown: ${shownCount} of ${total} ${unit}. ${narrow}, or raise max_results.]`;
  const why = end.reason === "time" ? "it took too long" : "there is too much";
  return `[stopped: ${why}; shown: ${shownCount} ${unit}. ${narrow}.]`;
}

/** UTF-16 units of a pattern or path in a message. */
const messageLength = 200;
