import { lstatSync } from "node:fs";

/** Which file lies at a path, whatever it is called: device, inode and time of birth, links not followed; `undefined`: none. */
export function identityAt(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}
