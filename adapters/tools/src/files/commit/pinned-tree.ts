import { PinnedDirectory } from "../../paths/pinned-directory.ts";
import type { ResolvedPath } from "../../paths/workspace-paths.ts";
import { sweepLeftovers } from "./sweep-leftovers.ts";

/** The directories of one commit, held open by descriptor; missing ones are made. */
export class PinnedTree {
  readonly #directories = new Map<string, PinnedDirectory>();
  readonly #made: { readonly parent: PinnedDirectory; readonly name: string }[] = [];

  /** The directory the resolved path lies in; the caller does not close it. */
  async parentOf(resolved: ResolvedPath): Promise<PinnedDirectory> {
    const names = resolved.relative.split("/").slice(0, -1);
    let directory = await this.#remembered(resolved.root, async () => PinnedDirectory.open(resolved.root));
    let path = resolved.root;
    for (const name of names) {
      const parent = directory;
      path = `${path}/${name}`;
      directory = await this.#remembered(path, async () => await this.#enterOrMake(parent, name));
    }
    return directory;
  }

  /** Removes the directories that were made, unless somebody put something into them. */
  async removeMade(): Promise<void> {
    for (const { parent, name } of this.#made.toReversed()) {
      try {
        await parent.removeDirectory(name);
      } catch {
        // An empty directory left behind harms nobody, and one that is no longer empty must stay.
      }
    }
  }

  /** Flushes all of them, so that renames survive a power cut. */
  async sync(): Promise<void> {
    for (const directory of this.#directories.values()) await directory.sync();
  }

  /** Tidies up after commits of processes that were killed. */
  async sweep(): Promise<void> {
    for (const directory of this.#directories.values()) await sweepLeftovers(directory);
  }

  async close(): Promise<void> {
    for (const directory of this.#directories.values()) directory.close();
    this.#directories.clear();
  }

  async #remembered(path: string, open: () => Promise<PinnedDirectory>): Promise<PinnedDirectory> {
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const opened = await open();
    this.#directories.set(path, opened);
    return opened;
  }

  async #enterOrMake(parent: PinnedDirectory, name: string): Promise<PinnedDirectory> {
    if (await parent.make(name)) this.#made.push({ parent, name });
    return parent.enter(name);
  }
}
