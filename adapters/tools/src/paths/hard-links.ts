import type { BigIntStats } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { maxHardLinkEntries } from "./limits.ts";

/**
 * Files with several names of which a protected one is known. Looks at the root's tree once, when it is first asked about such
 * a file: nearest levels first, as far as `maxHardLinkEntries`; a protected name further away is not found.
 */
export class ProtectedLinks {
  readonly #root: string;
  readonly #isDenied: (realPath: string) => boolean;
  #found: Promise<ReadonlySet<string>> | undefined;

  constructor(root: string, isDenied: (realPath: string) => boolean) {
    this.#root = root;
    this.#isDenied = isDenied;
  }

  /** Whether another name of the file is protected. */
  async include(stats: Pick<BigIntStats, "dev" | "ino" | "nlink">): Promise<boolean> {
    if (stats.nlink < 2n) return false;
    this.#found ??= protectedIdentities(this.#root, this.#isDenied);
    return (await this.#found).has(`${stats.dev}:${stats.ino}`);
  }
}

async function protectedIdentities(
  root: string,
  isDenied: (realPath: string) => boolean,
): Promise<ReadonlySet<string>> {
  const identities = new Set<string>();
  const directories = [root];
  let seen = 0;
  for (let directory = directories.shift(); directory !== undefined; directory = directories.shift()) {
    for (const entry of await entriesOf(directory, maxHardLinkEntries - seen)) {
      seen += 1;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) directories.push(path);
      else if (entry.isFile() && isDenied(path)) identities.add(await identityOf(path));
    }
    if (seen >= maxHardLinkEntries) break;
  }
  return identities;
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

/** Empty for what is gone. */
async function identityOf(path: string): Promise<string> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return "";
  }
}
