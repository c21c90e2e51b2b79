import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own for one test. */
export interface Folder {
  path(...names: readonly string[]): string;
  remove(): Promise<void>;
}

export async function makeFolder(): Promise<Folder> {
  const root = await mkdtemp(join(tmpdir(), "capstan-storage-"));
  return {
    path: (...names) => join(root, ...names),
    remove: async () => rm(root, { recursive: true, force: true }),
  };
}
