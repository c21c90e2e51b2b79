import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * A file without a name, for reading and writing, positioned at its beginning: nothing of it is left when its descriptor is closed,
 * however that comes about.
 * @param directory  whose file system holds it
 * @throws the system's error
 */
export function openAnonymousFile(directory: string, content: Uint8Array): number {
  const descriptor = openNameless(directory);
  try {
    let written = 0;
    while (written < content.length) {
      // At a position: the one that is read from stays at the beginning.
      const count = writeSync(descriptor, content, written, content.length - written, written);
      if (count === 0) throw new Error("the file system takes no more");
      written += count;
    }
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * A program without a name, to be run by its descriptor.
 * @param directory  whose file system holds it
 * @throws the system's error
 */
export function openAnonymousProgram(directory: string, content: Uint8Array): number {
  const writing = openAnonymousFile(directory, content);
  try {
    fchmodSync(writing, 0o500);
    // What is open for writing cannot be run.
    return openAgain(writing);
  } finally {
    closeSync(writing);
  }
}

/** The same file for reading, with a position of its own. @throws the system's error */
export function openAgain(descriptor: number): number {
  return openSync(`/proc/self/fd/${descriptor}`, constants.O_RDONLY);
}

/** `O_TMPFILE` without `O_DIRECTORY`, the same on all processors we know. */
const temporaryFile = 0o20000000;

function openNameless(directory: string): number {
  try {
    return openSync(directory, temporaryFile | constants.O_DIRECTORY | constants.O_RDWR, 0o600);
  } catch {
    // Some file systems cannot; there the name lives for a moment.
    const path = join(directory, `nameless-${randomBytes(12).toString("hex")}`);
    const descriptor = openSync(
      path,
      constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    unlinkSync(path);
    return descriptor;
  }
}
