import { setImmediate as nextTurn } from "node:timers/promises";
import { readAtMost } from "../../paths/pinned-file.ts";
import { decodeText, splitLines } from "../decode-text.ts";
import { maxKeptLineLength, maxNamedFileBytes, sliceMs } from "../limits.ts";
import type { LineMatch, SearchedFile } from "../ripgrep/ripgrep-events.ts";
import type { BatchEnd, BatchRequest, CandidateFile } from "../ripgrep/run-ripgrep.ts";
import type { SearchQuery } from "../search-request.ts";
import { type NearlyMatcher, nearlyMatcher } from "./nearly-matches.ts";

/**
 * What ripgrep does not do: lines that nearly hold the words. The files are those that were opened; the main thread is given back every few milliseconds.
 * @throws the signal's reason
 */
export async function searchNearly(
  { query, files, timeoutMs, signal }: Pick<BatchRequest, "query" | "files" | "timeoutMs" | "signal">,
  take: (path: string, found: SearchedFile) => "continue" | "stop",
): Promise<BatchEnd> {
  const matcher = nearlyMatcher(query.pattern, query.fuzzy, isCaseSensitive(query));
  const watch = new Watch(timeoutMs, signal);
  let isUnreadable = false;
  for (const candidate of files) {
    // oxlint-disable-next-line no-await-in-loop -- one file after the other, in their order
    const found = await searchFile(candidate, matcher, watch);
    if (watch.isOver) return { type: "timeout" };
    if (found === undefined) isUnreadable = true;
    else if ((found.isBinary || found.matches.length > 0) && take(candidate.path, found) === "stop")
      return { type: "stopped" };
  }
  return { type: isUnreadable ? "unreadable" : "complete" };
}

function isCaseSensitive({ case: kind, pattern }: SearchQuery): boolean {
  return kind === "sensitive" || (kind === "smart" && /\p{Lu}/u.test(pattern));
}

async function searchFile(
  { file }: CandidateFile,
  matcher: NearlyMatcher,
  watch: Watch,
): Promise<SearchedFile | undefined> {
  let text: string | undefined;
  try {
    text = decodeText(await readAtMost(file, maxNamedFileBytes));
  } catch {
    return undefined;
  }
  if (text === undefined) return { matches: [], isBinary: true };
  const matches: LineMatch[] = [];
  for (const [index, line] of splitLines(text).entries()) {
    // oxlint-disable-next-line no-await-in-loop -- the main thread is given back in between
    if (watch.isDue && (await watch.look())) break;
    const column = matcher.find(line);
    if (column !== undefined) matches.push({ line: index + 1, column, text: line.slice(0, maxKeptLineLength) });
  }
  return { matches, isBinary: false };
}

/** When the main thread is to be given back, and when it has been long enough. */
class Watch {
  isOver = false;
  readonly #endsAt: number;
  readonly #signal: AbortSignal;
  #sliceEndsAt = performance.now() + sliceMs;

  constructor(timeoutMs: number, signal: AbortSignal) {
    this.#endsAt = performance.now() + timeoutMs;
    this.#signal = signal;
  }

  get isDue(): boolean {
    return performance.now() > this.#sliceEndsAt;
  }

  /** @returns whether the time is over. @throws the signal's reason */
  async look(): Promise<boolean> {
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#sliceEndsAt = performance.now() + sliceMs;
    this.isOver = performance.now() > this.#endsAt;
    return this.isOver;
  }
}
