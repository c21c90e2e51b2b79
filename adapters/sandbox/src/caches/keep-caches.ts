import { createHash } from "node:crypto";
import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { realPathOf } from "../layout/real-path.ts";
import type { CachePlace } from "./cache-places.ts";
import type { KeptCache } from "./kept-cache.ts";
import { fullMark, removeTree } from "./remove-tree.ts";

/** What is kept for a workspace. @param roots  real paths of its folders */
export function cacheNameOf(roots: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(roots.toSorted())).digest("hex").slice(0, 32);
}

/** Makes the caches of a workspace ready, empty at first; none where they cannot be made: then they last as long as the session. */
export function keepCaches(directory: string, name: string, places: readonly CachePlace[]): readonly KeptCache[] {
  const own = join(directory, name);
  try {
    if (existsSync(join(own, fullMark))) removeTree(own);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    const now = new Date();
    utimesSync(own, now, now);
    return places.map((place) => {
      const source = join(own, place.name);
      mkdirSync(source, { recursive: true, mode: 0o700 });
      return { source: realPathOf(source) ?? source, path: place.path };
    });
  } catch {
    return [];
  }
}
