import { maxCountedMatches } from "./limits.ts";
import type { LineMatch } from "./ripgrep/ripgrep-events.ts";

export interface FoundFile {
  readonly path: string;
  /** Matching lines in all; `matches` may hold fewer. */
  readonly matchCount: number;
  readonly matches: readonly LineMatch[];
}

/** Counts what a search finds, and keeps the part that comes first in the order of paths and lines. */
export class MatchCollection {
  matchCount = 0;
  fileCount = 0;
  /** Files with more matching lines than are taken of one. */
  cappedFiles = 0;
  readonly #limit: number;
  readonly #perFile: number;
  readonly #weigh: (file: FoundFile) => number;
  #files: readonly FoundFile[] = [];

  /**
   * @param limit  matching lines, or files when `unit` is that
   * @param perFile  matching lines of one file; more are not counted
   */
  constructor(limit: number, unit: "matches" | "files", perFile: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#perFile = perFile;
    this.#weigh = unit === "files" ? () => 1 : ({ matches }) => matches.length;
  }

  /** @returns `stop` when there are too many to continue counting */
  take(path: string, all: readonly LineMatch[]): "continue" | "stop" {
    const matches = all.slice(0, this.#perFile);
    if (all.length > matches.length) this.cappedFiles += 1;
    this.matchCount += matches.length;
    this.fileCount += 1;
    // No file shows more than the limit.
    this.#keep({ path, matchCount: matches.length, matches: matches.slice(0, this.#limit) });
    return this.matchCount > maxCountedMatches ? "stop" : "continue";
  }

  /** The first files, as many as the limit needs; the last one may have more matches than it has room for. */
  first(): readonly FoundFile[] {
    return this.#files;
  }

  /** In its place; what the limit no longer needs goes. */
  #keep(kept: FoundFile): void {
    const place = this.#files.findIndex(({ path }) => path > kept.path);
    const files = this.#files.toSpliced(place === -1 ? this.#files.length : place, 0, kept);
    let room = this.#limit;
    this.#files = files.filter((file) => {
      const isNeeded = room > 0;
      room -= this.#weigh(file);
      return isNeeded;
    });
  }
}
