import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { maxHardLinkEntries } from "./limits.ts";

/**
 * Whether a file that has several names bears a protected one too. Looks at the root's tree, nearest levels first, as far as
 * `maxHardLinkEntries`; a protected name further away is not found.
 * @param identity  device and inode of the file
 */
export async function isProtectedByLink(
  root: string,
  identity: string,
  isDenied: (realPath: string) => boolean,
): Promise<boolean> {
  const directories = [root];
  let seen = 0;
  for (let directory = directories.shift(); directory !== undefined; directory = directories.shift()) {
    for (const entry of await entriesOf(directory, maxHardLinkEntries - seen)) {
      seen += 1;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) directories.push(path);
      else if (entry.isFile() && isDenied(path) && (await identityOf(path)) === identity) return true;
    }
    if (seen >= maxHardLinkEntries) return false;
  }
  return false;
}

async function entriesOf(directory: string, limit: number): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of await opendir(directory)) {
      if (entries.length >= limit) break;
      entries.push(entry);
    }
  } catch {
    // What cannot be listed holds no name we could compare.
  }
  return entries;
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
  isFile(): boolean;
}

async function identityOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
