import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { maxFollowedLinks } from "./limits.ts";

/** What a link leads to: a directory, or one file of it. */
export interface LinkTarget {
  readonly directory: string;
  readonly name: string | undefined;
}

/**
 * Where the links of a search lead, each place once. Only its real path is kept: what lies there is opened step by step from the workspace's root, like
 * everything else, and judged by its own name. So a link that is swapped meanwhile leads nowhere else.
 */
export class FollowedLinks {
  readonly #seen = new Set<string>();
  readonly #waiting: LinkTarget[] = [];

  /** @param path  of the link, relative to the start */
  add(path: string, { real: start, root }: ResolvedPath): void {
    if (this.#seen.size >= maxFollowedLinks) return;
    const target = targetOf(join(start, path));
    // What lies below the start is searched anyhow, and what lies around it would be searched again.
    if (target === undefined || !isWithin(root, target.real) || isWithin(start, target.real)) return;
    if (isWithin(target.real, start) || this.#isSeen(target.real)) return;
    // A repository's own folder is never searched.
    if (relative(root, target.real).split(sep).includes(".git")) return;
    this.#seen.add(target.real);
    this.#waiting.push(
      target.isDirectory
        ? { directory: target.real, name: undefined }
        : { directory: dirname(target.real), name: basename(target.real) },
    );
  }

  next(): LinkTarget | undefined {
    return this.#waiting.shift();
  }

  #isSeen(real: string): boolean {
    for (const seen of this.#seen) if (isWithin(seen, real)) return true;
    return false;
  }
}

function targetOf(link: string): { readonly real: string; readonly isDirectory: boolean } | undefined {
  try {
    const real = realpathSync(link);
    const stats = statSync(real);
    if (!stats.isDirectory() && !stats.isFile()) return undefined;
    return { real, isDirectory: stats.isDirectory() };
  } catch {
    // It leads nowhere, or in a circle.
    return undefined;
  }
}
