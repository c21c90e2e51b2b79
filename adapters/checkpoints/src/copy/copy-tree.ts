import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readlink, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { listFolder, onDisk } from "@capstan/byte-paths";
import { AppError } from "@capstan/protocol";
import { maxCopiedBytes, maxCopiedEntries, maxWalkDepth } from "../limits.ts";

/** How much of a copy there may still be. */
export interface CopyRoom {
  entries: number;
  bytes: number;
}

/** Room for one copy of a workspace. */
export function copyRoom(): CopyRoom {
  return { entries: maxCopiedEntries, bytes: maxCopiedBytes };
}

/**
 * Copies a folder with all that is in it, whatever git ignores. Links stay links; what is neither file, folder nor link is left out, and so is what
 * cannot be read. Contents are shared with the original where the file system can do that.
 * @param isApart  absolute paths that are no part of it
 * @throws AppError `tool.failed` where there is too much
 */
export async function copyTree(
  from: string,
  to: string,
  {
    room,
    isApart,
    signal,
  }: {
    readonly room: CopyRoom;
    readonly isApart: (path: string) => boolean;
    readonly signal: AbortSignal;
  },
  depth: number = 0,
): Promise<void> {
  signal.throwIfAborted();
  const stats = await lstat(onDisk(from));
  await mkdir(onDisk(to), { recursive: true, mode: 0o700 });
  if (depth > maxWalkDepth) throw tooMuch(`folders lie more than ${maxWalkDepth} deep`);
  for (const entry of listFolder(from)) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (isApart(source)) continue;
    room.entries -= 1;
    if (room.entries < 0) throw tooMuch(`it has more than ${maxCopiedEntries} files and folders`);
    if (entry.isDirectory()) await copyTree(source, target, { room, isApart, signal }, depth + 1);
    else if (entry.isSymbolicLink())
      await symlink(await readlink(onDisk(source), { encoding: "buffer" }), onDisk(target));
    else if (entry.isFile()) await copyOne(onDisk(source), onDisk(target), room);
  }
  await chmod(onDisk(to), stats.mode % 0o10000);
  await utimes(onDisk(to), stats.atime, stats.mtime);
}

/** A build must not take the copy for newer than what was made of it. */
async function copyOne(source: string | Buffer, target: string | Buffer, room: CopyRoom): Promise<void> {
  const stats = await lstat(source);
  room.bytes -= stats.size;
  if (room.bytes < 0) throw tooMuch(`it has more than ${maxCopiedBytes / 1024 / 1024} MB`);
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "ENOENT")) return;
    throw error;
  }
  await chmod(target, stats.mode % 0o10000);
  await utimes(target, stats.atime, stats.mtime);
}

function tooMuch(what: string): AppError {
  return new AppError("tool.failed", `The workspace is too large for a private copy: ${what}.`);
}
