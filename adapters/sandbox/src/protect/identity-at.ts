import { exactEntryAt } from "../layout/real-path.ts";

/** Which file lies at a path, whatever it is called: device, inode and time of birth, links not followed; `undefined`: none. */
export function identityAt(path: string): string | undefined {
  const found = exactEntryAt(path);
  return found === undefined ? undefined : `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}
