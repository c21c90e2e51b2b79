import { type BigIntStats, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { errorCode } from "./error-code.ts";
import { maxLinks } from "./limits.ts";

/** Where a path leads once every link on the way was followed. `real` of something missing names its place, through real directories. */
export type Destination =
  | { readonly type: "found"; readonly real: string; readonly stats: BigIntStats }
  | { readonly type: "missing"; readonly real: string }
  /** `at`: the first thing on the way that is not a directory. */
  | { readonly type: "under-file"; readonly at: string }
  | { readonly type: "blocked"; readonly reason: "dangling" | "loop" | "kernel" | "unreadable"; readonly at: string };

/**
 * Follows links by hand, one component at a time, so that a link which passes through the kernel's own files
 * (`/proc/self/cwd`) is noticed even when it ends inside the workspace.
 * Synchronous: a look at a name takes some 10 µs, handing it to the thread pool and back ten times that.
 * @param path  absolute and normalised
 * @param base  a real directory the path begins with; what lies above it is not looked at again
 */
export function followLinks(path: string, base: string): Destination {
  return findWithoutLinks(path) ?? walk(path, base);
}

/** Most paths have no link in them: two system calls instead of one for each component. */
function findWithoutLinks(path: string): Destination | undefined {
  const real = realPath(path);
  if (real !== path) return undefined;
  const stats = inspect(path);
  return typeof stats === "string" || stats.isSymbolicLink() ? undefined : { type: "found", real, stats };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function walk(path: string, base: string): Destination {
  const pending = components(path.slice(base.length), false);
  let real = base;
  let links = 0;
  let stats = inspect(base);
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (typeof stats !== "string" && !stats.isDirectory()) return { type: "under-file", at: real };
    if (next.name === "..") {
      real = dirname(real);
      continue;
    }
    const place = join(real, next.name);
    if (isKernelPath(place)) return { type: "blocked", reason: "kernel", at: place };
    stats = inspect(place);
    if (stats === "unreadable") return { type: "blocked", reason: "unreadable", at: place };
    if (stats === "missing") return missing(place, next, pending);
    if (!stats.isSymbolicLink()) {
      real = place;
      continue;
    }
    links += 1;
    if (links > maxLinks) return { type: "blocked", reason: "loop", at: place };
    const target = readlinkSync(place);
    if (isAbsolute(target)) real = parse(target).root;
    stats = inspect(real);
    pending.unshift(...components(target.slice(isAbsolute(target) ? real.length : 0), true));
  }
  if (typeof stats === "string")
    return stats === "missing" ? { type: "missing", real } : { type: "blocked", reason: stats, at: real };
  return { type: "found", real, stats };
}

/** Places that are windows into the kernel or into other processes, not files. */
export function isKernelPath(path: string): boolean {
  return /^\/(proc|sys|dev)(\/|$)/.test(path) && !/^\/dev\/shm(\/|$)/.test(path);
}

interface Component {
  readonly name: string;
  readonly fromLink: boolean;
}

function inspect(path: string): BigIntStats | "missing" | "unreadable" {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "missing" : "unreadable";
  }
}

function missing(place: string, next: Component, rest: readonly Component[]): Destination {
  // A missing target of a link: writing there would create a file the user never named.
  if (next.fromLink || rest.some(({ fromLink }) => fromLink)) return { type: "blocked", reason: "dangling", at: place };
  return { type: "missing", real: join(place, ...rest.map(({ name }) => name)) };
}

function components(path: string, fromLink: boolean): Component[] {
  return path
    .split(sep)
    .filter((name) => name !== "" && name !== ".")
    .map((name) => ({ name, fromLink }));
}
