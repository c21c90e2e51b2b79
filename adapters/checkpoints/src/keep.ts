import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import type { FileVersion, Workspace } from "@capstan/protocol";
import { AppError } from "@capstan/protocol";
import { errorCode } from "./files/error-code.ts";
import type { LeftOut } from "./files/left-out.ts";
import { isWithin } from "@capstan/patterns";
import { pathProblem } from "./files/paths.ts";
import { tooLarge } from "./files/read-version.ts";
import { versionAt } from "./files/version-at.ts";
import { maxExplicitPaths } from "./limits.ts";
import { ObjectBatch, type ObjectStore } from "./store/object-store.ts";
import { encodeTree } from "./store/tree-object.ts";
import type { StatCache } from "./walk/stat-cache.ts";
import { type SnapshotLimits, walkTree } from "./walk/walk-tree.ts";

/** The parts that keeping needs. */
export interface CheckpointParts {
  readonly store: ObjectStore;
  readonly statCache: StatCache;
  /** Absolute real folders that are never kept nor written: the store's own, and what the host names. */
  readonly excluded: readonly string[];
  /** For each root. */
  readonly limits: SnapshotLimits;
}

export interface KeptFile {
  readonly path: string;
  readonly version: FileVersion | null;
}

export interface KeptTree {
  readonly root: string;
  readonly tree: string;
}

/** Keeps the named files, ignored ones, too. `null`: there is no such file. What cannot be kept is reported in `left` and has no entry. */
export async function keepFiles(
  parts: CheckpointParts,
  workspace: Workspace,
  paths: readonly string[],
  reporting: { readonly left: LeftOut; readonly signal: AbortSignal },
): Promise<readonly KeptFile[]> {
  const batch = new ObjectBatch(parts.store);
  const files: KeptFile[] = [];
  for (const [at, path] of [...new Set(paths)].entries()) {
    reporting.signal.throwIfAborted();
    const problem = at < maxExplicitPaths ? pathProblem(workspace, parts.excluded, path) : "there are too many files";
    if (problem !== undefined) {
      reporting.left.add(path, problem);
      continue;
    }
    const found = await versionAt(path);
    switch (found.type) {
      case "kept":
        await batch.add(found.object);
        files.push({ path, version: found.version });
        break;
      case "missing":
        files.push({ path, version: null });
        break;
      case "large":
        reporting.left.add(path, tooLarge);
        break;
      case "folder":
        reporting.left.add(path, "is a folder");
        break;
      case "unknown":
        reporting.left.add(path, found.reason);
        break;
    }
  }
  await batch.flush();
  return files;
}

/**
 * Keeps everything below each root that is not ignored; a root within another one has a tree of its own and is a gap in the other's.
 * @param onLeft  called with what is neither kept nor ignored, with its absolute path
 */
export async function keepTrees(
  parts: CheckpointParts,
  roots: readonly string[],
  onLeft: (path: string, reason: string) => void,
  signal: AbortSignal,
): Promise<readonly KeptTree[]> {
  const trees: KeptTree[] = [];
  for (const root of new Set(roots)) {
    const tree = await keepTree(parts, root, { roots, onLeft, signal });
    if (tree !== undefined) trees.push({ root, tree });
  }
  return trees;
}

async function keepTree(
  { store, statCache, excluded, limits }: CheckpointParts,
  root: string,
  {
    roots,
    onLeft,
    signal,
  }: {
    readonly roots: readonly string[];
    readonly onLeft: (path: string, reason: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  const batch = new ObjectBatch(store);
  const apart = [...roots, ...excluded].filter((path) => path !== root && isWithin(root, path));
  try {
    const walked = await walkTree({
      root,
      store,
      batch,
      seen: await statCache.load(root),
      limits,
      excluded: new Set(apart.map((path) => relative(root, path).replaceAll(sep, "/"))),
      onLeft: (path, reason) => onLeft(`${root === sep ? "" : root}${sep}${path}`, reason),
      signal,
    });
    await batch.flush();
    // Only now: what is remembered as kept must be on the disk.
    await statCache.save(root, walked.seen, walked.isChanged);
    return walked.tree;
  } catch (error) {
    if (error instanceof AppError || signal.aborted) throw error;
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return await keepNothing(store);
    onLeft(root, `cannot be read (${code ?? "unknown error"})`);
    return undefined;
  }
}

/** A root that does not exist holds nothing. */
async function keepNothing(store: ObjectStore): Promise<string> {
  const tree = encodeTree([]);
  await store.write([tree]);
  return tree.id;
}

/** The real path of a folder, as far as it exists. */
export function realFolder(path: string): string {
  const absolute = resolve(path);
  return existsSync(absolute) ? realpathSync.native(absolute) : absolute;
}
