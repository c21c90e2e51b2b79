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
  #files: FoundFile[] = [];
  #weight = 0;

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
    const file = { path, matchCount: matches.length, matches: matches.slice(0, this.#limit) };
    this.#files.push(file);
    this.#weight += this.#weigh(file);
    if (this.#weight > 4 * this.#limit) this.#prune();
    return this.matchCount > maxCountedMatches ? "stop" : "continue";
  }

  /** The first files, as many as the limit needs; the last one may have more matches than it has room for. */
  first(): readonly FoundFile[] {
    this.#prune();
    return this.#files;
  }

  #prune(): void {
    this.#files.sort((a, b) => (a.path < b.path ? -1 : 1));
    let weight = 0;
    const needed = this.#files.findIndex((file) => {
      weight += this.#weigh(file);
      return weight >= this.#limit;
    });
    if (needed !== -1) this.#files = this.#files.slice(0, needed + 1);
    this.#weight = weight;
  }
}
