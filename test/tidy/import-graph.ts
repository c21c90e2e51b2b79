import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

/** One import in a file: what it names, and where. */
export interface Import {
  readonly specifier: string;
  /** From 1. */
  readonly line: number;
}

/** An import of one file of a package by another. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

/** Static imports, re-exports and lazy imports; a type's `import("…")` too. */
export function importsOf(text: string): readonly Import[] {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([\w@.#][^"\s\\]*)"/g)].map(
    ({ 1: specifier = "", index }) => ({
      specifier,
      line: text.slice(0, index).split("\n").length,
    }),
  );
}

/** The relative imports between these files; those that lead elsewhere are left out. */
export function arrowsBetween(files: readonly SourceFile[]): readonly Arrow[] {
  const known = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path, text }) =>
    importsOf(text).flatMap(({ specifier, line }) => {
      const to = posix.join(posix.dirname(path), specifier);
      return specifier.startsWith(".") && known.has(to) ? [{ from: path, to, line }] : [];
    }),
  );
}

/** One shortest way round for every group of files that import one another, types included. */
export function cyclesIn(arrows: readonly Arrow[]): readonly (readonly string[])[] {
  const next = new Map<string, readonly string[]>();
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to]);
  const seen = new Set<string>();
  return [...next.keys()].toSorted().flatMap((start) => {
    const way = seen.has(start) ? undefined : wayBack(start, next);
    for (const file of way ?? []) seen.add(file);
    return way === undefined ? [] : [way];
  });
}

/** The shortest way from a file to itself, breadth first. */
function wayBack(start: string, next: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const before = new Map<string, string>();
  const waiting = [start];
  for (const file of waiting) {
    for (const to of next.get(file) ?? []) {
      if (before.has(to)) continue;
      before.set(to, file);
      if (to === start) return trace(start, before);
      waiting.push(to);
    }
  }
  return undefined;
}

function trace(start: string, before: ReadonlyMap<string, string>): readonly string[] {
  const way = [start];
  for (let file = before.get(start); file !== undefined && file !== start; file = before.get(file)) way.unshift(file);
  return [start, ...way];
}
