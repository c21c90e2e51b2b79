import { basename, dirname, join, relative } from "node:path";
import { isWithin } from "@capstan/patterns";
import { AppError } from "@capstan/protocol";
import type { AbsentPath } from "./run-note.ts";
import type { KeptLink } from "./put-back.ts";
import type { Mount } from "../layout/profile.ts";
import { realPathOf } from "../layout/real-path.ts";
import { maxProtectedPaths } from "../limits.ts";
import { entryOf } from "./shut-folder.ts";

/** What must be done so that a program cannot change what it must not. */
export interface GuardPlan {
  readonly mounts: readonly Mount[];
  /** Links, which no mount can hold: looked at afterwards, and put back. */
  readonly links: readonly KeptLink[];
  /** Where there is nothing, and is to be nothing afterwards. */
  readonly absent: readonly AbsentPath[];
}

/** Gathers a plan. Only paths inside the open places count; the others cannot be changed anyway. */
export class Guard {
  readonly #open: string[];
  readonly #mounts = new Map<string, Mount>();
  readonly #links = new Map<string, KeptLink>();
  readonly #absent = new Map<string, AbsentPath>();
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
      links: [...this.#links.values()],
      absent: [...this.#absent.values()],
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

  /** Whatever it is, it stays; if it is not there, it is not there afterwards. */
  readOnlyOrAbsent(path: string): void {
    const entry = entryOf(path);
    if (entry?.isSymbolicLink() === true) this.#linkWithTarget(path);
    else if (entry !== undefined) this.readOnly(path);
    else this.#keepAbsent(path);
  }

  /** A mount would lie on what the link leads to; the link itself can be replaced, and is put back. */
  link(path: string): void {
    const place = inRealFolder(path);
    if (this.#isOpen(place)) this.#links.set(place, { path: place, target: this.#readLink(path) });
  }

  #linkWithTarget(path: string): void {
    this.link(path);
    const real = realPathOf(path);
    if (real !== undefined && this.#isOpen(real)) this.readOnlyOrAbsent(real);
  }

  /** By a path on which there is no link now: one that is there afterwards was made meanwhile. */
  #keepAbsent(path: string): void {
    let above = dirname(path);
    while (entryOf(above) === undefined && dirname(above) !== above) above = dirname(above);
    const real = realPathOf(above);
    if (real === undefined || !this.#isOpen(real)) return;
    const rest = relative(above, path);
    this.#absent.set(join(real, rest), { folder: real, rest });
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
