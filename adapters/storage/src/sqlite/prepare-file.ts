import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  statfsSync,
} from "node:fs";
import { dirname } from "node:path";
import { AppError } from "@capstan/protocol";

/**
 * Makes sure that there is a database file that only its owner reads, in a folder that only its owner enters.
 * What exists already keeps its permissions: they are the owner's choice.
 * @throws {AppError} `storage.unavailable` for a link, anything that is not a file, and a network file system
 * @throws what the file system throws
 */
export function prepareFile(path: string): void {
  const folder = dirname(path);
  makePrivateFolder(folder);
  refuseNetworkFolder(folder);
  createPrivateFile(path);
  refuseOddFile(path);
  // SQLite would fall back to reading only, and then fail with the first write, in the middle of a turn.
  // oxlint-disable-next-line no-bitwise -- file modes are bits
  accessSync(path, constants.R_OK | constants.W_OK);
  accessSync(folder, constants.W_OK);
}

/**
 * A folder, with those above it, mode 0700 where they are made. By hand, because Node's own recursive mkdir never ends where
 * making a folder answers "no such folder" although the one above exists, as in `/proc`.
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!isExisting(error)) throw error;
  }
}

/** A new empty file, mode 0600. @returns false when there is something by that name already */
export function createPrivateFile(path: string): boolean {
  try {
    // `wx` never opens what exists: closing a descriptor of a database file would drop this process's SQLite locks on it.
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
    throw error;
  }
}

/** Forces a file or folder to the disk. */
export function flushPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a file system lives on another machine, by the number Linux gives it (`statfs(2)`). */
export function isNetworkFileSystem(type: number): boolean {
  return networkFileSystems.has(type);
}

/** NFS, SMB, CIFS, SMB2, NCP, AFS, Coda, Ceph. Not FUSE and 9p, which serve local disks as often as not. */
const networkFileSystems = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x564c, 0x5346414f, 0x73757245, 0x00c36400,
]);

function refuseNetworkFolder(folder: string): void {
  if (process.platform !== "linux" || !isNetworkFileSystem(statfsSync(folder).type)) return;
  throw new AppError(
    "storage.unavailable",
    `${folder} is on a network file system, where SQLite's locks cannot be trusted`,
    {
      hint: "Point CAPSTAN_HOME to a folder on a local disk.",
    },
  );
}

function refuseOddFile(path: string): void {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file === undefined) {
    throw new AppError("storage.unavailable", `${path} was removed while it was being opened`, { hint: "Try again." });
  }
  if (!file.isFile()) {
    const what = file.isSymbolicLink() ? "a symbolic link" : "not a file";
    throw new AppError("storage.unavailable", `${path} is ${what}`, { hint: moveAway });
  }
  if (file.size > 0 && file.size < smallestDatabaseBytes) {
    throw new AppError("storage.corrupt", `${path} is not a database`, { hint: moveAway });
  }
}

const moveAway = "Move it away, or point CAPSTAN_HOME to another folder. Nothing was changed.";

/** SQLite's smallest page. It takes anything shorter for an empty database and would write over it. */
const smallestDatabaseBytes = 512;

function isExisting(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
