import { chmodSync, closeSync, constants, openSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";

/** In the folder of a workspace's caches: they are to be emptied before the next command. */
export const fullMark = "full";

/** `O_PATH`, the same on all processors we know: a folder that is shut can be held, too. */
const pathOnly = 0o10000000;

/**
 * Removes a tree that commands may still write to: every folder is held open while what is in it is removed, so that a link that
 * takes its place leads nowhere.
 * @throws the system's error
 */
export function removeTree(path: string): void {
  const descriptor = openSync(path, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const folder = `/proc/self/fd/${descriptor}`;
    // Package managers take their users the right to change what they keep.
    chmodSync(folder, 0o700);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) removeTree(`${folder}/${entry.name}`);
      else unlinkSync(`${folder}/${entry.name}`);
    }
  } finally {
    closeSync(descriptor);
  }
  rmdirSync(path);
}
