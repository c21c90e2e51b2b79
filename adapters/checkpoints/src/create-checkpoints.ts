import { join, resolve } from "node:path";
import type { Checkpoints } from "@capstan/ports";
import { unreachable } from "@capstan/protocol";
import { proposeFiles } from "./copy/propose-files.ts";
import { copyWorkspace } from "./copy/workspace-copy.ts";
import { applyEffects } from "./effects/apply-effects.ts";
import { describeEffects } from "./effects/describe-effects.ts";
import { foreseeEffects } from "./effects/foresee-effects.ts";
import { LeftOut } from "./files/left-out.ts";
import { keepFiles, keepTrees, type CheckpointParts, realFolder } from "./keep.ts";
import { filesSince, treesSince } from "./since.ts";
import { ObjectStore } from "./store/object-store.ts";
import { maxSnapshotBytes, maxSnapshotFiles } from "./limits.ts";
import { StatCache } from "./walk/stat-cache.ts";
import type { SnapshotLimits } from "./walk/walk-tree.ts";

export interface CheckpointsOptions {
  /** Absolute. A Git object store for all workspaces is made there (folders 0700, files 0600) at the first use. */
  readonly folder: string;
  /** Absolute folders that are never kept, compared or written, such as Capstan's home. The store's own folder is one anyway. */
  readonly excluded?: readonly string[];
  /** Absolute. Private copies of workspaces are made there. It lies in no workspace, and outside of what commands never see. */
  readonly copies: string;
  /** How much of each root is kept, where it is not what `limits.ts` says. */
  readonly snapshotLimits?: SnapshotLimits;
}

/**
 * Checkpoints in a Git object store of Capstan's own. No Git process runs, no repository of the user's is read: only the
 * files, and the `.gitignore` files, of the workspace. What is ignored: see `walkTree` and `isNeverKept`; how large a file
 * or a snapshot may be: `limits.ts`. Methods may run at the same time, also in several processes.
 *
 * All of them reject with an `AppError` `storage.*` when the store itself cannot be written or read, and with the signal's reason.
 */
export function createCheckpoints(options: CheckpointsOptions): Checkpoints {
  const folder = resolve(options.folder);
  const store = new ObjectStore(folder);
  const statCache = new StatCache(join(folder, "trees"));
  const limits = options.snapshotLimits ?? { files: maxSnapshotFiles, bytes: maxSnapshotBytes };
  const open = async (): Promise<CheckpointParts> => {
    await store.open();
    const excluded = [folder, ...(options.excluded ?? [])].map(realFolder);
    return { store, statCache, excluded, limits };
  };
  return {
    async keep(workspace, scope, signal) {
      const parts = await open();
      const left = new LeftOut();
      if (scope !== "everything") {
        const files = await keepFiles(parts, workspace, scope, { left, signal });
        return { kept: { type: "files", files }, left: left.notes };
      }
      const onLeft = (path: string, reason: string): void => left.add(path, reason);
      const trees = await keepTrees(parts, workspace.roots, onLeft, signal);
      return { kept: { type: "trees", trees }, left: left.notes };
    },
    async since({ kept }, signal) {
      const parts = await open();
      switch (kept.type) {
        case "files":
          return await filesSince(parts, kept.files, signal);
        case "trees":
          return await treesSince(parts, kept.trees, signal);
        default:
          return unreachable(kept);
      }
    },
    async apply(workspace, effects, signal) {
      return await applyEffects(await open(), workspace, effects, signal);
    },
    async foresee(workspace, effects, signal) {
      return await foreseeEffects(await open(), workspace, effects, signal);
    },
    async describe(workspace, effects, signal) {
      await store.open();
      return await describeEffects(store, workspace, effects, signal);
    },
    async propose(files, over) {
      await store.open();
      return await proposeFiles(store, files, over);
    },
    async copy(workspace, over, signal) {
      return await copyWorkspace(await open(), resolve(options.copies), { workspace, over }, signal);
    },
  };
}
