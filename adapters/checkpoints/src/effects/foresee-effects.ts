import { basename, dirname, join } from "node:path";
import type { AppliedEffect } from "@capstan/ports";
import { AppError, type FileEffect, type Workspace } from "@capstan/protocol";
import { pathProblem } from "../files/paths.ts";
import type { PinnedFolder } from "../files/pinned-folder.ts";
import { readVersion } from "../files/read-version.ts";
import type { CheckpointParts } from "../keep.ts";
import { maxWalkDepth } from "../limits.ts";
import { deletedSince, lost, openIfFolder, openIfThere, reasonOf, standingOf } from "./obstacles.ts";

/** What `applyEffects` would answer now, as far as looking tells. Nothing is written. */
export async function foreseeEffects(
  parts: CheckpointParts,
  workspace: Workspace,
  effects: readonly FileEffect[],
  signal: AbortSignal,
): Promise<readonly AppliedEffect[]> {
  const look = new Look(parts, workspace);
  const answers: AppliedEffect[] = [];
  const numbered = effects.map((effect, number) => ({ effect, number }));
  // What is deleted makes room for what is written.
  const inOrder = [
    ...numbered.filter(({ effect }) => effect.after === null),
    ...numbered.filter(({ effect }) => effect.after !== null),
  ];
  for (const { effect, number } of inOrder) {
    signal.throwIfAborted();
    answers[number] = await look.at(effect);
  }
  return answers;
}

class Look {
  readonly #parts: CheckpointParts;
  readonly #workspace: Workspace;
  /** Files that would be gone. */
  readonly #leaving = new Set<string>();

  constructor(parts: CheckpointParts, workspace: Workspace) {
    this.#parts = parts;
    this.#workspace = workspace;
  }

  async at(effect: FileEffect): Promise<AppliedEffect> {
    const { path } = effect;
    const reason = await this.#obstacle(effect);
    if (reason !== undefined) return { type: "conflict", path, reason };
    if (effect.after === null) this.#leaving.add(path);
    return { type: "done", path };
  }

  async #obstacle(effect: FileEffect): Promise<string | undefined> {
    try {
      return pathProblem(this.#workspace, this.#parts.excluded, effect.path) ?? (await this.#obstacleIn(effect));
    } catch (error) {
      if (error instanceof AppError) throw error;
      return reasonOf(error);
    }
  }

  async #obstacleIn(effect: FileEffect): Promise<string | undefined> {
    const parent = dirname(effect.path);
    const isGap = effect.after !== null && this.#isBelowLeaving(parent);
    const folder = isGap ? undefined : effect.after === null ? openIfFolder(parent) : openIfThere(parent);
    if (folder === undefined) {
      if (effect.after === null) return undefined;
      return effect.before === null ? await this.#contentProblem(effect) : deletedSince;
    }
    try {
      return await this.#obstacleAt(folder, effect);
    } finally {
      folder.close();
    }
  }

  async #obstacleAt(folder: PinnedFolder, effect: FileEffect): Promise<string | undefined> {
    const found = await readVersion(folder, basename(effect.path));
    const isFree =
      found.type === "folder" &&
      (effect.after === null || (effect.before === null && this.#isEmptied(folder, effect.path)));
    const standing = standingOf(this.#parts.store, effect, isFree ? { type: "missing" } : found);
    if (standing.type === "conflict") return standing.reason;
    return standing.type === "done" ? undefined : await this.#contentProblem(effect);
  }

  async #contentProblem({ after }: FileEffect): Promise<string | undefined> {
    if (after === null) return undefined;
    const object = await this.#parts.store.read(after.blob);
    return object?.kind === "blob" ? undefined : lost;
  }

  #isBelowLeaving(folder: string): boolean {
    for (let at = folder; at !== dirname(at); at = dirname(at)) if (this.#leaving.has(at)) return true;
    return false;
  }

  /** Whether a folder holds nothing but folders, and files that would be gone. */
  #isEmptied(parent: PinnedFolder, path: string, depth: number = 0): boolean {
    if (depth > maxWalkDepth) return false;
    const folder = parent.enter(basename(path));
    try {
      return folder.entries().every((entry) => {
        const inner = join(path, entry.name);
        return entry.isDirectory() ? this.#isEmptied(folder, inner, depth + 1) : this.#leaving.has(inner);
      });
    } finally {
      folder.close();
    }
  }
}
