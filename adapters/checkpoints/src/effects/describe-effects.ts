import { setImmediate as nextTurn } from "node:timers/promises";
import type { FileChange, FileEffect, FileVersion, Workspace } from "@capstan/protocol";
import { shownIn } from "../files/paths.ts";
import { allDiffsTimeoutMs, maxAllDiffsBytes } from "../limits.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { countRoughly, diffTexts, textOf } from "./text-diff.ts";

/**
 * Effects for people, in the same order. Binary content, and content that the store does not have, comes without lines; a
 * changed right to execute, or a file that became a link, is the diff's first lines. Beyond the limits of all diffs together
 * only lines are counted.
 */
export async function describeEffects(
  store: ObjectStore,
  workspace: Workspace,
  effects: readonly FileEffect[],
  signal: AbortSignal,
): Promise<readonly FileChange[]> {
  const endsAt = performance.now() + allDiffsTimeoutMs;
  let bytesLeft = maxAllDiffsBytes;
  const changes: FileChange[] = [];
  for (const effect of effects) {
    signal.throwIfAborted();
    await nextTurn();
    const change = await describeOne(store, workspace, effect, bytesLeft > 0 && performance.now() < endsAt);
    bytesLeft -= Buffer.byteLength(change.diff ?? "");
    changes.push(change);
  }
  return changes;
}

async function describeOne(
  store: ObjectStore,
  workspace: Workspace,
  effect: FileEffect,
  withDiff: boolean,
): Promise<FileChange> {
  const path = shownIn(workspace, effect.path);
  const kind = effect.before === null ? "created" : effect.after === null ? "deleted" : "modified";
  const before = await readText(store, effect.before);
  const after = await readText(store, effect.after);
  if (before === undefined || after === undefined) {
    return { path, kind, addedLines: 0, removedLines: 0, ...diffOf(modeLines(effect)) };
  }
  const { before: old, after: present } = effect;
  const names = { before: old === null ? null : path, after: present === null ? null : path };
  const found = withDiff ? diffTexts(names, before, after) : countRoughly(before, after);
  const { addedLines, removedLines } = found;
  return { path, kind, addedLines, removedLines, ...diffOf(withDiff ? modeLines(effect) + (found.diff ?? "") : "") };
}

/** @returns empty for a file that does not exist; `undefined`: there is no text to show */
async function readText(store: ObjectStore, version: FileVersion | null): Promise<string | undefined> {
  if (version === null) return "";
  const object = await store.read(version.blob);
  return object === undefined ? undefined : textOf(object.content);
}

function modeLines({ before, after }: FileEffect): string {
  if (before === null || after === null || before.mode === after.mode) return "";
  return `old mode ${before.mode}\nnew mode ${after.mode}\n`;
}

function diffOf(diff: string): Pick<FileChange, "diff"> {
  return diff === "" ? {} : { diff };
}
