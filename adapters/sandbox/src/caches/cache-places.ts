import { join, resolve } from "node:path";
import { isWithin } from "@capstan/patterns";
import { homeInside } from "../layout/home-inside.ts";
import { entryAt, realPathOf } from "../layout/real-path.ts";
import type { SandboxOptions } from "../options.ts";

/** Read and filled when something is installed, by their paths in the home: commands never see the user's own. */
const installCaches: readonly string[] = [
  ".npm",
  ".cache/yarn",
  ".cache/pnpm",
  ".cache/pip",
  ".cache/uv",
  ".cache/go-build",
  ".cache/composer",
  ".cache/node-gyp",
  ".local/share/pnpm/store",
];

/** What builds read as well: where the user has one, commands read that. */
const libraryCaches: readonly string[] = [
  "go/pkg/mod",
  ".cargo/registry",
  ".cargo/git",
  ".m2/repository",
  ".gradle/caches",
  ".nuget/packages",
];

/** A cache by the name that it is kept under, and where programs find it. */
export interface CachePlace {
  readonly name: string;
  readonly path: string;
}

/**
 * The caches that commands have for themselves; none where nothing is to be kept.
 * @param readable  places of the home that are read-only inside; what lies in one is left to it
 */
export function cachePlaces(options: SandboxOptions, readable: readonly string[]): readonly CachePlace[] {
  if (options.cacheDirectory === undefined) return [];
  const home = realPathOf(options.home) ?? options.home;
  const named = (options.readable ?? []).map((path) => resolve(home, path));
  const libraries = libraryCaches.filter((path) => entryAt(join(home, path)) === undefined);
  return [...installCaches, ...libraries].flatMap((name) => {
    const path = join(home, name);
    const isNamed = named.some((place) => isWithin(place, path) || isWithin(path, place));
    const isInside = readable.some((place) => place !== path && isWithin(place, path));
    return isNamed || isInside ? [] : [{ name: name.replaceAll("/", "+"), path: join(homeInside(options), name) }];
  });
}
