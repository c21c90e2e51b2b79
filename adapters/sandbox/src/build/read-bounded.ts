import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** A regular file's content; `undefined` where there is none by that name, it is a link or something else, or it is larger. */
export function readBounded(path: string, limitBytes: number): Buffer | undefined {
  let descriptor: number;
  try {
    // A pipe must not make us wait.
    // oxlint-disable-next-line no-bitwise -- flags are bits
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const file = fstatSync(descriptor);
    return file.isFile() && file.size <= limitBytes ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
