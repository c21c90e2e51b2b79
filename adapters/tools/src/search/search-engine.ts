import type { ResolvedPath } from "../paths/workspace-paths.ts";
import type { FileFilter } from "./file-filter.ts";

/** What to look for. */
export interface SearchQuery {
  readonly pattern: string;
  readonly case: "smart" | "sensitive" | "insensitive";
  readonly fixedStrings: boolean;
  readonly wordRegexp: boolean;
}

export interface EngineRequest {
  readonly query: SearchQuery;
  readonly start: ResolvedPath;
  readonly filter: FileFilter;
  readonly hidden: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A line that matches. */
export interface LineMatch {
  /** From 1. */
  readonly line: number;
  /** UTF-16 units before the first match in the line. */
  readonly column: number;
  /** The line, or as much of it as is kept, without its end. */
  readonly text: string;
}

/** @param path  relative to the start; empty when the start is the file itself */
export type TakeFile = (path: string, matches: readonly LineMatch[]) => "go-on" | "stop";

export type EngineEnd =
  | { readonly type: "complete" }
  | { readonly type: "incomplete"; readonly reason: "time" | "count" }
  | { readonly type: "bad-pattern"; readonly message: string }
  /** This engine does not exist here; another one must do. */
  | { readonly type: "unavailable" };

/**
 * Looks through files line by line and hands over those with a match, in any order, until it is told to stop. Binary files
 * and files that are too large are left out. Throws the signal's reason when that aborts.
 */
export type SearchEngine = (request: EngineRequest, take: TakeFile) => Promise<EngineEnd>;
