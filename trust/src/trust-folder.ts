import { lstatSync } from "node:fs";
import { relative } from "node:path";
import { projectLevels } from "@capstan/settings";

/** Which folder it is, beyond its name: another one at the same path is not the same. */
export interface FolderIdentity {
  /** The real directory; links are resolved. */
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  /** When it was made, ns since 1970, where the file system knows: numbers of removed folders are reused. */
  readonly birth: string;
}

/** What trust is given to: the root of the repository around a directory, or the directory itself. */
export interface TrustFolder {
  readonly identity: FolderIdentity;
  /** From the working directory up to the folder; real paths. */
  readonly levels: readonly string[];
}

/**
 * The folder around a working directory. A folder in which there is anything named `.git` is one of its own, whatever that
 * `.git` says: a file or link that points to a trusted repository borrows nothing from it, and what is trusted above is not
 * trusted below.
 */
export function trustFolder(cwd: string): TrustFolder {
  const { root, levels } = projectLevels(cwd);
  return { identity: identityOf(root), levels };
}

/** The levels from the folder, outermost first; the folder itself is the empty name. */
export function levelNames({ identity, levels }: TrustFolder): readonly string[] {
  return levels.map((level) => relative(identity.path, level)).toReversed();
}

export function isSameFolder(one: FolderIdentity, other: FolderIdentity): boolean {
  return (
    one.path === other.path && one.device === other.device && one.inode === other.inode && one.birth === other.birth
  );
}

function identityOf(path: string): FolderIdentity {
  const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true });
  return { path, device: String(dev), inode: String(ino), birth: String(birthtimeNs) };
}
