import { join } from "node:path";
import type { FileEffect, FileVersion } from "@capstan/protocol";
import { versionAt } from "./files/version-at.ts";
import { tooLarge } from "./files/read-version.ts";
import { type CheckpointParts, keepTrees, type KeptFile, type KeptTree } from "./keep.ts";
import { ObjectBatch } from "./store/object-store.ts";
import { diffTrees, type TreeDifference } from "./store/diff-trees.ts";

/** What became of the named files. Present content is kept, too. */
export async function filesSince(
  { store }: CheckpointParts,
  files: readonly KeptFile[],
  signal: AbortSignal,
): Promise<readonly FileEffect[]> {
  const present = new PresentFiles(new ObjectBatch(store));
  const effects: FileEffect[] = [];
  for (const { path, version } of files) {
    signal.throwIfAborted();
    effects.push(...(await present.compare(path, version)));
  }
  await present.flush();
  return inOrder(effects);
}

/**
 * What became of everything below the roots. Of a path that is a gap on either side nothing can be said, except that a file
 * kept before is looked at itself (it may be ignored by now), and that one which is too large is known by its hash.
 */
export async function treesSince(
  parts: CheckpointParts,
  trees: readonly KeptTree[],
  signal: AbortSignal,
): Promise<readonly FileEffect[]> {
  const large = new Set<string>();
  const roots = trees.map(({ root }) => root);
  const onLeft = (path: string, reason: string): void => {
    if (reason === tooLarge) large.add(path);
  };
  const now = new Map((await keepTrees(parts, roots, onLeft, signal)).map(({ root, tree }) => [root, tree]));
  const present = new PresentFiles(new ObjectBatch(parts.store));
  const effects: FileEffect[] = [];
  for (const { root, tree } of trees) {
    const after = now.get(root);
    if (after === undefined) continue;
    for await (const difference of diffTrees(parts.store, tree, after)) {
      signal.throwIfAborted();
      effects.push(...(await toEffects(difference, join(root, difference.path), present, large)));
    }
  }
  await present.flush();
  return inOrder(effects);
}

async function toEffects(
  difference: TreeDifference,
  path: string,
  present: PresentFiles,
  large: ReadonlySet<string>,
): Promise<readonly FileEffect[]> {
  const { before, after } = difference;
  if (after !== "unknown") return [{ path, before, after }];
  // There before, or not there and now too large: worth a look. Else it is ignored or unreadable.
  return before !== null || large.has(path) ? await present.compare(path, before) : [];
}

/** Files as they are now, their content kept. */
class PresentFiles {
  readonly #batch: ObjectBatch;

  constructor(batch: ObjectBatch) {
    this.#batch = batch;
  }

  async compare(path: string, before: FileVersion | null): Promise<readonly FileEffect[]> {
    const found = await versionAt(path);
    switch (found.type) {
      case "kept":
        await this.#batch.add(found.object);
        return differing({ path, before, after: found.version });
      case "large":
        return differing({ path, before, after: found.version });
      case "missing":
      case "folder":
        return differing({ path, before, after: null });
      case "unknown":
        return [];
    }
  }

  async flush(): Promise<void> {
    await this.#batch.flush();
  }
}

function differing(effect: FileEffect): readonly FileEffect[] {
  return isSameVersion(effect.before, effect.after) ? [] : [effect];
}

/** Whether two versions are one. */
export function isSameVersion(a: FileVersion | null, b: FileVersion | null): boolean {
  return a?.blob === b?.blob && a?.mode === b?.mode;
}

function inOrder(effects: readonly FileEffect[]): readonly FileEffect[] {
  return effects.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
