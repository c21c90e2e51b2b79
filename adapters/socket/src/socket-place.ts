import { lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "@capstan/protocol";
import { maxSocketPathBytes } from "./limits.ts";

/** @throws AppError `remote.unreachable` for a path that no socket can have */
export function requireShortPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= maxSocketPathBytes) return;
  throw new AppError(
    "remote.unreachable",
    `${path} has ${bytes} bytes; a socket's path has at most ${maxSocketPathBytes}`,
    {
      hint: "Set CAPSTAN_HOME to a shorter path.",
    },
  );
}

/**
 * Makes the folder of a socket, so that nobody but this user reaches what is in it.
 * @throws AppError `remote.unreachable` when the folder is not this user's alone
 */
export async function prepareFolder(path: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(folder).then((found) => {
    if (!found.isDirectory()) throw notOurs(folder, "is no folder");
    return found;
  });
  if (uid !== process.getuid?.()) throw notOurs(folder, "belongs to another user");
  if ((mode & 0o077) !== 0) throw notOurs(folder, "can be entered by other users");
}

/** @throws AppError `remote.unreachable` when what is there is not this user's */
export async function requireOwn(path: string): Promise<void> {
  const { uid } = await lstat(path);
  if (uid !== process.getuid?.()) throw notOurs(path, "belongs to another user");
}

function notOurs(path: string, why: string): AppError {
  return new AppError("remote.unreachable", `${path} ${why}: no socket is used there`, {
    hint: "Give it to your user with mode 0700, or set CAPSTAN_HOME to a folder of your own.",
  });
}
