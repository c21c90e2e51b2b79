import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { onDisk, readLink } from "@capstan/byte-paths";
import { identityAt } from "./identity-at.ts";

/** Which folder it is, whatever it is called and wherever it was moved. Numbers of the file system, in digits. */
export interface FolderIdentity {
  readonly device: string;
  readonly inode: string;
  /** Numbers of inodes are used again; the time of birth distinguishes such a folder from the old one. Nanoseconds; 0 where it is not known. */
  readonly born: string;
}

/**
 * A folder that is held open: what is done in it is done in this folder, although a program has put something else, or a link to
 * somewhere else, in its place meanwhile.
 */
export class OpenFolder {
  readonly identity: FolderIdentity;
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
    const { dev, ino, birthtimeNs } = fstatSync(descriptor, { bigint: true });
    this.identity = { device: String(dev), inode: String(ino), born: String(birthtimeNs) };
  }

  /**
   * @param path  real and absolute
   * @throws the system's error; an error when the path leads elsewhere by now
   */
  static at(path: string): OpenFolder {
    const descriptor = openSync(onDisk(path), pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      // A folder above may have become a link since somebody looked.
      const found = readLink(linkTo(descriptor));
      if (found !== path) throw new Error(`${JSON.stringify(path)} leads to ${JSON.stringify(found)} now`);
      return new OpenFolder(descriptor);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** The folder that was there, as another process knew it; `undefined` when the path leads to none, or to another one. */
  static again(path: string, { device, inode, born }: FolderIdentity): OpenFolder | undefined {
    let folder: OpenFolder | undefined;
    try {
      folder = OpenFolder.at(path);
    } catch {
      return undefined;
    }
    const found = folder.identity;
    if (found.device === device && found.inode === inode && found.born === born) return folder;
    folder.close();
    return undefined;
  }

  /** Where it is now; what that path leads to in the next moment is not said. `undefined`: deeper than any path leads. */
  get path(): string | undefined {
    try {
      return readLink(linkTo(this.#descriptor));
    } catch {
      return undefined;
    }
  }

  /** A path to an entry of the folder itself; nothing above it is looked up by name. */
  entry(name: string): string {
    return `${linkTo(this.#descriptor)}/${name}`;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The folder in which this very file lies under its name; `undefined`: it does not lie there, or nobody can say. */
export function folderWith(path: string, identity: string): FolderIdentity | undefined {
  return inFolder(
    () => OpenFolder.at(dirname(path)),
    (folder) => (identityAt(folder.entry(basename(path))) === identity ? folder.identity : undefined),
  );
}

/**
 * Whether a covered file is no longer in the folder in which it was seen, while that folder is at its place. No command can have done that: for all of
 * them the file is a mount point, which can be moved with the folder and not out of it. Whoever did it works outside of the sandbox.
 */
export function wasTakenOut(path: string, identity: string, seenIn: FolderIdentity): boolean {
  const isOut = inFolder(
    () => OpenFolder.again(dirname(path), seenIn),
    (folder) => identityAt(folder.entry(basename(path))) !== identity,
  );
  return isOut === true;
}

function inFolder<Result>(
  open: () => OpenFolder | undefined,
  look: (folder: OpenFolder) => Result,
): Result | undefined {
  let folder: OpenFolder | undefined;
  try {
    folder = open();
    return folder === undefined ? undefined : look(folder);
  } catch {
    return undefined;
  } finally {
    folder?.close();
  }
}

function linkTo(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

/** `O_PATH`, the same on all processors we know: no right to read is needed, and nothing in it is touched. */
const pathOnly = 0o10000000;
