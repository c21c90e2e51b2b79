import {
  type BigIntStats,
  fchmodSync,
  fchownSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  closeSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { promisify } from "node:util";
import type { FileVersion } from "@capstan/protocol";
import { errorCode } from "../files/error-code.ts";
import type { PinnedFolder } from "../files/pinned-folder.ts";
import { temporaryName } from "./temporary-name.ts";

/** A name in a folder that is held open. */
export interface PinnedName {
  readonly folder: PinnedFolder;
  readonly name: string;
}

/** Somebody else was there in the moment between the look and the change. */
export class ChangedMeanwhile extends Error {}

/**
 * Puts new content in a file's place: whole, on the disk, in one step.
 * @param present  of the file that stands there, taken when its content was compared; `undefined`: nothing stands there
 * @throws {ChangedMeanwhile} and leaves what is there as it is, when that is no longer what was compared
 */
export async function writeInPlace(
  place: PinnedName,
  present: BigIntStats | undefined,
  wanted: { readonly content: Buffer; readonly mode: FileVersion["mode"] },
): Promise<void> {
  const temporary = temporaryName("new");
  const address = place.folder.address(temporary);
  try {
    if (wanted.mode === "120000") symlinkSync(wanted.content, address);
    else await writeTemporary(address, present, wanted);
    if (present === undefined) putInEmptyPlace(place, temporary, wanted.content);
    else swap(place, present, () => renameSync(address, place.folder.address(place.name)));
  } finally {
    unlinkQuietly(address);
  }
}

/** Removes a file. @throws {ChangedMeanwhile} as `writeInPlace` does */
export function removeFromPlace(place: PinnedName, present: BigIntStats): void {
  swap(place, present, () => unlinkSync(place.folder.address(place.name)));
}

async function writeTemporary(
  address: string | Buffer,
  present: BigIntStats | undefined,
  { content, mode }: { readonly content: Buffer; readonly mode: FileVersion["mode"] },
): Promise<void> {
  const model = present?.isFile() === true ? present : undefined;
  const wide = mode === "100755" ? 0o777 : 0o666;
  // Nobody else reads it before it has its final rights.
  const descriptor = openSync(address, "wx", model === undefined ? wide : 0o600);
  try {
    writeFileSync(descriptor, content);
    if (model !== undefined) copyOwnerAndRights(descriptor, model, mode);
    await promisify(fsync)(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function copyOwnerAndRights(descriptor: number, model: BigIntStats, mode: FileVersion["mode"]): void {
  try {
    fchownSync(descriptor, Number(model.uid), Number(model.gid));
  } catch {
    // Only root may give files away; for others the new file is simply theirs.
  }
  fchmodSync(descriptor, withExecution(Number(model.mode) % 0o10000, mode === "100755"));
}

/** Who may read may execute, or nobody may. Left as it is where the owner's right is already so. */
function withExecution(rights: number, executable: boolean): number {
  const digits = [6, 3, 0].map((shift) => Math.floor(rights / 2 ** shift) % 8);
  if ((digits[0] ?? 0) % 2 === (executable ? 1 : 0)) return rights;
  const wanted = digits.map((digit) => {
    if (!executable) return digit - (digit % 2);
    return digit >= 4 && digit % 2 === 0 ? digit + 1 : digit;
  });
  return Math.floor(rights / 0o1000) * 0o1000 + wanted.reduce((sum, digit) => sum * 8 + digit, 0);
}

/** A second name instead of a rename: it fails when somebody else took the place. */
function putInEmptyPlace({ folder, name }: PinnedName, temporary: string, content: Buffer): void {
  const address = folder.address(name);
  try {
    linkSync(folder.address(temporary), address);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw new ChangedMeanwhile("the place was taken", { cause: error });
    if (!lacksHardLinks(error)) throw error;
    if (folder.holds(name)) throw new ChangedMeanwhile("the place was taken", { cause: error });
    if (lstatSync(folder.address(temporary)).isSymbolicLink()) symlinkSync(content, address);
    else renameSync(folder.address(temporary), address);
  }
}

/**
 * Changes what a name stands for while the old file is held by a second name, so that whatever somebody writes into it in
 * that moment is noticed and put back. Without a pause in between: some 50 µs.
 */
function swap({ folder, name }: PinnedName, present: BigIntStats, change: () => void): void {
  const address = folder.address(name);
  const backup = folder.address(temporaryName("old"));
  const isHeld = holdBySecondName(address, backup);
  try {
    if (!isSame(inspect(isHeld ? backup : address), present) || !isSame(inspect(address), present)) {
      throw new ChangedMeanwhile("it changed");
    }
    change();
    if (!isHeld || isSame(inspect(backup), present)) return;
    renameSync(backup, address);
    throw new ChangedMeanwhile("it changed");
  } finally {
    if (isHeld) unlinkQuietly(backup);
  }
}

function holdBySecondName(address: string | Buffer, backup: string | Buffer): boolean {
  try {
    linkSync(address, backup);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new ChangedMeanwhile("it is gone", { cause: error });
    if (lacksHardLinks(error)) return false;
    throw error;
  }
}

function inspect(address: string | Buffer): BigIntStats | undefined {
  return lstatSync(address, { bigint: true, throwIfNoEntry: false });
}

function isSame(now: BigIntStats | undefined, then: BigIntStats): boolean {
  return (
    now !== undefined &&
    now.ino === then.ino &&
    now.dev === then.dev &&
    now.size === then.size &&
    now.mtimeNs === then.mtimeNs &&
    now.mode === then.mode
  );
}

function unlinkQuietly(address: string | Buffer): void {
  try {
    unlinkSync(address);
  } catch {
    // It took its place, or is no longer ours to remove.
  }
}

function lacksHardLinks(error: unknown): boolean {
  return ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"].includes(errorCode(error) ?? "");
}
