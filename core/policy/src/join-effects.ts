import type { FileConflict, FileEffect } from "@capstan/protocol";

/** What several changes come to, file by file. */
export interface JoinedEffects<Effect extends FileEffect> {
  readonly files: readonly FileEffect[];
  /** Changes that are in `files`. */
  readonly joined: readonly Effect[];
  readonly conflicts: readonly FileConflict[];
}

/**
 * The changes one after another, as one for each file. A change that does not stand on what the one before it leaves is left out, and so is every
 * later one of that file.
 */
export function joinEffects<Effect extends FileEffect>(effects: readonly Effect[]): JoinedEffects<Effect> {
  const files = new Map<string, FileEffect>();
  const conflicts = new Map<string, FileConflict>();
  const joined: Effect[] = [];
  for (const effect of effects) {
    const { path, before, after } = effect;
    const earlier = files.get(path);
    if (conflicts.has(path)) continue;
    if (earlier !== undefined && !isSameVersion(earlier.after, before)) {
      conflicts.set(path, { path, reason: "another proposal changes the same file from the same state" });
      continue;
    }
    files.set(path, { path, before: earlier === undefined ? before : earlier.before, after });
    joined.push(effect);
  }
  const needed = [...files.values()].filter((file) => !isSameVersion(file.before, file.after));
  return { files: needed, joined, conflicts: [...conflicts.values()] };
}

/** Whether two versions of a file are one. */
export function isSameVersion(one: FileEffect["before"], other: FileEffect["before"]): boolean {
  return one?.blob === other?.blob && one?.mode === other?.mode;
}
