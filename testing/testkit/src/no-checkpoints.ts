import type { Checkpoints } from "@capstan/ports";

/** Keeps nothing, and so has nothing to restore. */
export const noCheckpoints: Checkpoints = {
  keep: async () => ({ kept: { type: "files", files: [] }, left: [] }),
  since: async () => [],
  apply: async (_workspace, effects) =>
    effects.map(({ path }) => ({ type: "conflict", path, reason: "nothing was kept" })),
  foresee: async () => [],
  describe: async () => [],
  propose: async () => ({ type: "kept", effects: [] }),
  copy: async (workspace) => ({
    folders: [],
    workspace,
    changes: async () => ({ effects: [], left: [] }),
    remove: async () => undefined,
  }),
};
