import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { quoteGitName } from "./git-facts.ts";

/** Bytes of `HEAD`: a reference's name, or a hash. */
const maxHeadBytes = 4096;
/** Directories above the working directory that are looked at. */
const maxLevels = 128;

const unseen = "uncommitted changes were not looked at, because nobody said that this folder can be trusted";

/**
 * What is known of the repository in a folder that nobody trusts: git does not run, since the repository could say what git
 * is to run; its configuration is not opened; and a `.git` that is no folder is not followed, wherever it leads.
 */
export function plainGitFacts(cwd: string): string | undefined {
  const git = repositoryAbove(cwd);
  if (git === undefined) return undefined;
  const head = readHead(join(git, "HEAD"));
  if (head === undefined) return `Git: there is a repository; ${unseen}.`;
  const branch = /^ref: refs\/heads\/([^\n]+)\n?$/.exec(head)?.[1];
  return `Git: branch ${branch === undefined ? "HEAD (no branch)" : quoteGitName(branch)}; ${unseen}.`;
}

function repositoryAbove(cwd: string): string | undefined {
  let folder = cwd;
  for (let level = 0; level < maxLevels; level += 1) {
    const git = join(folder, ".git");
    if (statsOf(git) !== undefined) return git;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return undefined;
}

function readHead(path: string): string | undefined {
  if (statsOf(dirname(path))?.isDirectory() !== true) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
    const buffer = Buffer.alloc(maxHeadBytes);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, maxHeadBytes, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder that we may not enter.
    return undefined;
  }
}
