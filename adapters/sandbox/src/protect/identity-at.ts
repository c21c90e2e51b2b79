import type { BigIntStats } from "node:fs";
import { exactEntryAt } from "../layout/real-path.ts";

/**
 * Which file lies at a path, whatever it is called: device, inode and time of birth, links not followed; `undefined`: none, or none
 * that may be looked at.
 */
export function identityAt(path: string): string | undefined {
  const found = seenAt(path);
  return found === undefined ? undefined : `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}

function seenAt(path: string): BigIntStats | undefined {
  try {
    return exactEntryAt(path);
  } catch {
    return undefined;
  }
}
