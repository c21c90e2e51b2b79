import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { entryAt, exactEntryAt } from "../layout/real-path.ts";
import { maxCommittedBytes, maxCommittedFiles, settledFolderMs } from "../limits.ts";
import { foldersOfLinked, type GitFolders, pointedTo } from "../protect/repositories.ts";
import { blobsOfHead, type GitRunner } from "./blobs-of-head.ts";

/** Files, each with its stamp: as long as that is the same, so is the content. */
export type StampedFiles = ReadonlyMap<string, string>;

interface Answer {
  readonly stamp: string;
  /** Of what the repository's last commit follows from. */
  readonly state: string;
  readonly isCommitted: boolean;
}

/**
 * Which protected files are no secrets, because the last commit holds them as they are: whoever may read the repository has read them. A file
 * that git would have to change first (line ends, filters), and one that has another name or is a link, is not looked at; nor is one of a working tree that the repository
 * to which its `.git` file leads does not know.
 */
export class CommittedFiles {
  readonly #runner: GitRunner | undefined;
  readonly #answers = new Map<string, Answer>();

  /** @param runner  `undefined`: nobody is asked, and no file is committed */
  constructor(runner: GitRunner | undefined) {
    this.#runner = runner;
  }

  async among(paths: readonly string[]): Promise<StampedFiles> {
    const found = new Map<string, string>();
    if (this.#runner === undefined || paths.length > maxCommittedFiles) return found;
    for (const [workTree, files] of byWorkTree(paths)) {
      const folders = foldersOf(workTree);
      if (folders === undefined) continue;
      const state = stateOf(folders);
      const unknown = files.filter((path) => !this.#isKnown(path, state));
      const blobs = unknown.length === 0 ? new Map<string, string>() : await this.#ask(workTree, folders, unknown);
      for (const path of unknown) this.#learn(path, blobs.get(relative(workTree, path)), state);
      for (const path of files) {
        const answer = this.#answers.get(path);
        if (answer?.isCommitted === true && answer.stamp === stampOf(path)) found.set(path, answer.stamp);
      }
    }
    return found;
  }

  async #ask(
    workTree: string,
    { own, shared }: GitFolders,
    files: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const runner = this.#runner;
    const repository = [...new Set([shared, own, join(workTree, ".git")])];
    const paths = files.map((path) => relative(workTree, path));
    return runner === undefined ? new Map() : await blobsOfHead({ workTree, repository, paths }, runner);
  }

  /** What was committed once is in the history, whatever the last commit is; what was not may be by now. */
  #isKnown(path: string, state: string): boolean {
    const answer = this.#answers.get(path);
    if (answer === undefined || answer.stamp !== stampOf(path)) return false;
    return answer.isCommitted ? !isFresh(path) : answer.state === state;
  }

  #learn(path: string, blob: string | undefined, state: string): void {
    const stamp = stampOf(path);
    if (this.#answers.size >= maxCommittedFiles) this.#answers.clear();
    if (stamp === undefined) this.#answers.delete(path);
    else this.#answers.set(path, { stamp, state, isCommitted: blob !== undefined && blob === blobAt(path, blob) });
  }
}

/** Which content a file has, as far as that can be seen without reading it; `undefined`: no file, or one with several names. */
export function stampOf(path: string): string | undefined {
  const found = exactEntryAt(path);
  return found?.isFile() === true && found.nlink === 1n ? stampIn(found) : undefined;
}

/** Whether git is changing what the file's repository has checked out: what it writes there it commits to later, or has committed. */
export function isGitAtWork(path: string): boolean {
  const workTree = workTreeOf(path);
  const folders = workTree === undefined ? undefined : foldersOf(workTree);
  return folders !== undefined && existsSync(join(folders.own, "index.lock"));
}

function stampIn({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

/** Changed only just now: it may change once more, with nothing to be seen of it. */
function isFresh(path: string): boolean {
  const changedMs = entryAt(path)?.ctimeMs ?? Infinity;
  return Date.now() - changedMs < settledFolderMs;
}

function byWorkTree(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const workTree = stampOf(path) === undefined ? undefined : workTreeOf(path);
    if (workTree === undefined) continue;
    const group = groups.get(workTree) ?? [];
    groups.set(workTree, group);
    group.push(path);
  }
  return groups;
}

/** The nearest folder above with a `.git`, where that is a folder or a file. */
function workTreeOf(path: string): string | undefined {
  for (let at = dirname(path); ; at = dirname(at)) {
    const entry = entryAt(join(at, ".git"));
    if (entry !== undefined) return entry.isDirectory() || entry.isFile() ? at : undefined;
    if (dirname(at) === at) return undefined;
  }
}

function foldersOf(workTree: string): GitFolders | undefined {
  const entry = join(workTree, ".git");
  if (entryAt(entry)?.isDirectory() === true) return { own: entry, shared: entry };
  const gitFolder = pointedTo(entry);
  return gitFolder === undefined ? undefined : foldersOfLinked(gitFolder, workTree);
}

function stateOf({ own }: GitFolders): string {
  const places = ["HEAD", "index", join("logs", "HEAD")].map((name) => join(own, name));
  return places.map((path) => stampOf(path) ?? "").join(" ");
}

/** The object id of the file as it lies there, of the kind of another id; `undefined` where it cannot be read whole. */
function blobAt(path: string, like: string): string | undefined {
  let descriptor: number | undefined;
  try {
    // oxlint-disable-next-line no-bitwise -- flags are bits
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const before = fstatSync(descriptor, { bigint: true });
    if (!before.isFile() || before.nlink !== 1n || before.size > BigInt(maxCommittedBytes)) return undefined;
    const content = Buffer.alloc(Number(before.size));
    const length = readSync(descriptor, content, 0, content.length, 0);
    const isWhole = length === content.length && stampIn(fstatSync(descriptor, { bigint: true })) === stampIn(before);
    if (!isWhole || stampIn(before) !== stampOf(path)) return undefined;
    const hash = createHash(like.length === 40 ? "sha1" : "sha256");
    return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
