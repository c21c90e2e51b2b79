import { mkdirSync, rmdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { AppliedEffect } from "@capstan/ports";
import { AppError, type FileEffect, type FileVersion, type Workspace } from "@capstan/protocol";
import { errorCode } from "../files/error-code.ts";
import { isWithin } from "@capstan/patterns";
import { pathProblem } from "../files/paths.ts";
import type { PinnedFolder } from "../files/pinned-folder.ts";
import { readVersion } from "../files/read-version.ts";
import type { CheckpointParts } from "../keep.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { deletedSince, lost, openIfFolder, openIfThere, reasonOf, standingOf } from "./obstacles.ts";
import { removeEmptyFolder } from "./remove-empty-folder.ts";
import { removeFromPlace, writeInPlace } from "./replace-file.ts";
import { sweepLeftovers } from "./sweep-leftovers.ts";

/**
 * Brings files from `before` to `after`, one by one: what is deleted first, the deepest first, so that a folder can become
 * a file; then what is written. Folders that are missing are made; folders that a deletion leaves empty are removed, as Git
 * does, but no root and no working directory. A file that exists keeps its owner and its rights but for the right to
 * execute; one that is made again has the usual ones. Content that the store does not have is never overwritten or removed.
 */
export async function applyEffects(
  parts: CheckpointParts,
  workspace: Workspace,
  effects: readonly FileEffect[],
  signal: AbortSignal,
): Promise<readonly AppliedEffect[]> {
  const run = new ApplyRun(parts, workspace);
  const answers: AppliedEffect[] = [];
  const numbered = effects.map((effect, number) => ({ effect, number }));
  const byPath = numbered.toSorted((a, b) => (a.effect.path < b.effect.path ? -1 : 1));
  const deletions = byPath.filter(({ effect }) => effect.after === null).toReversed();
  const writings = byPath.filter(({ effect }) => effect.after !== null);
  try {
    for (const { effect, number } of [...deletions, ...writings]) {
      signal.throwIfAborted();
      answers[number] = await run.apply(effect);
    }
  } finally {
    await run.sync();
  }
  return answers;
}

class ApplyRun {
  readonly #store: ObjectStore;
  readonly #workspace: Workspace;
  readonly #excluded: readonly string[];
  /** Folders with changed names. */
  readonly #touched = new Set<string>();
  readonly #swept = new Set<string>();

  constructor({ store, excluded }: CheckpointParts, workspace: Workspace) {
    this.#store = store;
    this.#workspace = workspace;
    this.#excluded = excluded;
  }

  async apply(effect: FileEffect): Promise<AppliedEffect> {
    const { path } = effect;
    try {
      const problem = pathProblem(this.#workspace, this.#excluded, path);
      const reason = problem ?? (await this.#change(effect));
      return reason === undefined ? { type: "done", path } : { type: "conflict", path, reason };
    } catch (error) {
      if (error instanceof AppError) throw error;
      return { type: "conflict", path, reason: reasonOf(error) };
    }
  }

  /** Makes what was done survive a power cut. */
  async sync(): Promise<void> {
    for (const path of this.#touched) {
      const folder = openIfFolder(path);
      if (folder === undefined) continue;
      try {
        await folder.sync();
      } finally {
        folder.close();
      }
    }
  }

  /** @returns why it could not be done; `undefined`: it is */
  async #change(effect: FileEffect): Promise<string | undefined> {
    const parent = dirname(effect.path);
    const folder = effect.after === null ? openIfFolder(parent) : openIfThere(parent);
    const reason = folder === undefined ? await this.#fillGap(effect) : await this.#changeIn(folder, effect);
    if (reason === undefined && effect.after === null) this.#removeEmptied(parent);
    return reason;
  }

  /** For a file whose folder does not exist. */
  async #fillGap(effect: FileEffect): Promise<string | undefined> {
    if (effect.after === null) return undefined;
    if (effect.before !== null) return deletedSince;
    if ((await this.#contentOf(effect.after)) === undefined) return lost;
    return await this.#changeIn(this.#make(dirname(effect.path)), effect);
  }

  /** Closes the folder. */
  async #changeIn(folder: PinnedFolder, { path, before, after }: FileEffect): Promise<string | undefined> {
    try {
      await this.#sweepOnce(folder);
      const place = { folder, name: basename(path) };
      const found = await readVersion(folder, place.name);
      // A folder in its place: there is no such file. One can be made where nothing but empty folders is lost.
      const isFree =
        found.type === "folder" && (after === null || (before === null && removeEmptyFolder(folder, place.name)));
      const standing = standingOf(this.#store, { path, before, after }, isFree ? { type: "missing" } : found);
      if (standing.type === "conflict") return standing.reason;
      this.#touched.add(folder.path);
      if (standing.type === "done") return undefined;
      const stats = found.type === "kept" ? found.stats : undefined;
      if (after === null) {
        if (stats !== undefined) removeFromPlace(place, stats);
        return undefined;
      }
      const content = await this.#contentOf(after);
      if (content === undefined) return lost;
      await writeInPlace(place, stats, { content, mode: after.mode });
    } finally {
      folder.close();
    }
    return undefined;
  }

  async #contentOf(version: FileVersion): Promise<Buffer | undefined> {
    const object = await this.#store.read(version.blob);
    return object?.kind === "blob" ? object.content : undefined;
  }

  /** Makes the folder and those above it that are missing, inside the workspace. */
  #make(path: string): PinnedFolder {
    const known = openIfThere(path);
    if (known !== undefined) return known;
    const parent = this.#make(dirname(path));
    try {
      mkdirSync(parent.address(basename(path)));
      this.#touched.add(dirname(path));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
    try {
      return parent.enter(basename(path));
    } finally {
      parent.close();
    }
  }

  #removeEmptied(path: string): void {
    const { cwd, roots } = this.#workspace;
    for (let at = path; ![cwd, ...roots].some((kept) => isWithin(at, kept)); at = dirname(at)) {
      const parent = openIfFolder(dirname(at));
      if (parent === undefined) continue;
      try {
        rmdirSync(parent.address(basename(at)));
        this.#touched.add(dirname(at));
      } catch (error) {
        // Gone already: this call was killed before, in the middle.
        if (errorCode(error) !== "ENOENT") return;
      } finally {
        parent.close();
      }
    }
  }

  async #sweepOnce(folder: PinnedFolder): Promise<void> {
    if (this.#swept.has(folder.path)) return;
    this.#swept.add(folder.path);
    await sweepLeftovers(folder, this.#store);
  }
}
