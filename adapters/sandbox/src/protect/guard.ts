import { accessSync, constants, existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "@capstan/patterns";
import { AppError } from "@capstan/protocol";
import type { KeptPath } from "./hold.ts";
import type { Mount } from "../layout/profile.ts";
import { entryAt, realPathOf } from "../layout/real-path.ts";
import { maxProtectedPaths } from "../limits.ts";
import { isPlaceholder } from "./hold.ts";

/** What must be done so that a program cannot change what it must not. */
export interface GuardPlan {
  readonly mounts: readonly Mount[];
  /** Paths that are not there, and are held by an empty folder so that nothing can be put there. */
  readonly placeholders: readonly string[];
  /** What no mount can hold: looked at afterwards, and put back. */
  readonly kept: readonly KeptPath[];
}

/** Gathers a plan. Only paths inside the open places count; the others cannot be changed anyway. */
export class Guard {
  readonly #open: string[];
  readonly #mounts = new Map<string, Mount>();
  readonly #placeholders = new Set<string>();
  readonly #kept = new Map<string, KeptPath>();
  readonly #readLink: (path: string) => string;

  /**
   * @param open  real paths of folders that the program may change
   * @param readLink  of the file system
   */
  constructor(open: readonly string[], readLink: (path: string) => string) {
    this.#open = [...open];
    this.#readLink = readLink;
  }

  get plan(): GuardPlan {
    return {
      mounts: [...this.#mounts.values()],
      placeholders: [...this.#placeholders],
      kept: [...this.#kept.values()],
    };
  }

  /** It stays where it is. Where it is outside, this opens it. */
  pin(path: string): void {
    if (!this.#isOpen(path)) this.#open.push(path);
    this.#mount({ type: "pinned", path });
  }

  readOnly(path: string): void {
    this.#mount({ type: "read-only", path });
  }

  closed(path: string, source: string): void {
    this.#mount({ type: "closed", path, source });
  }

  /** Whatever it is, it stays; if it is not there, it cannot be made. */
  readOnlyOrAbsent(path: string): void {
    const entry = entryAt(path);
    if (entry?.isSymbolicLink() === true) this.#linkWithTarget(path);
    // A run beside this one may hold it: then this one holds it, too.
    else if (entry !== undefined && !isPlaceholder(path)) this.readOnly(path);
    else this.#hold(path);
  }

  /** A mount would lie on what the link leads to; the link itself can be replaced, and is put back. */
  link(path: string): void {
    const place = inRealFolder(path);
    if (this.#isOpen(place)) this.#kept.set(place, { type: "link", path: place, target: this.#readLink(path) });
  }

  /** For a file that others look for there: a folder in its place would disturb them. */
  keepAbsent(path: string): void {
    const place = inRealFolder(path);
    if (this.#isOpen(place)) this.#kept.set(place, { type: "absent", path: place });
  }

  #linkWithTarget(path: string): void {
    this.link(path);
    const real = realPathOf(path);
    if (real !== undefined && this.#isOpen(real)) this.readOnlyOrAbsent(real);
  }

  /** The first missing part of the path is held, or the path itself. */
  #hold(path: string): void {
    let missing = path;
    while (!existsSync(dirname(missing)) && dirname(missing) !== missing) missing = dirname(missing);
    const real = realPathOf(dirname(missing));
    // What this user cannot make, the program cannot make either.
    if (real === undefined || !this.#isOpen(real) || !canWrite(real)) return;
    const place = join(real, missing.slice(dirname(missing).length).replace(/^\//, ""));
    if (this.#mounts.has(place)) return;
    this.#placeholders.add(place);
    this.#mount({ type: "read-only", path: place });
  }

  #isOpen(path: string): boolean {
    return this.#open.some((folder) => isWithin(folder, path));
  }

  #mount(mount: Mount): void {
    // The first says what holds: outer ones come first.
    if (!this.#mounts.has(mount.path)) this.#mounts.set(mount.path, mount);
    if (this.#mounts.size > maxProtectedPaths) {
      const text = `The workspace has more than ${maxProtectedPaths} protected files and repositories.`;
      const hint = "Work in a smaller folder, or name fewer files in `[tools.sandbox] denied_patterns`.";
      throw new AppError("sandbox.layout", text, { hint });
    }
  }
}

/** The same entry by a path in which only the last name can be a link. */
function inRealFolder(path: string): string {
  const folder = realPathOf(dirname(path));
  return folder === undefined ? path : join(folder, basename(path));
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
