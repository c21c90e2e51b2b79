import { setImmediate as nextTurn } from "node:timers/promises";
import { countLines, diffTexts, type TextDiff } from "@capstan/diff";
import type { FileChange, FileEffect, FileVersion, Workspace } from "@capstan/protocol";
import { shownIn } from "../files/paths.ts";
import { maxAllDiffsBytes, maxAllDiffsSteps } from "../limits.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { textOf } from "./text-of.ts";

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
  const left = { bytes: maxAllDiffsBytes, steps: maxAllDiffsSteps };
  const changes: FileChange[] = [];
  for (const effect of effects) {
    signal.throwIfAborted();
    await nextTurn();
    changes.push(await describeOne(store, workspace, effect, left));
  }
  return changes;
}

/** What the diffs that are still to come may take. */
interface DiffRoom {
  bytes: number;
  steps: number;
}

async function describeOne(
  store: ObjectStore,
  workspace: Workspace,
  effect: FileEffect,
  left: DiffRoom,
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
  const withDiff = left.bytes > 0 && left.steps > 0;
  const found: TextDiff = withDiff ? diffTexts(names, before, after) : { ...countLines(before, after), steps: 0 };
  const { addedLines, removedLines, steps } = found;
  const diff = withDiff ? modeLines(effect) + (found.diff ?? "") : "";
  left.bytes -= Buffer.byteLength(diff);
  left.steps -= steps;
  return { path, kind, addedLines, removedLines, ...diffOf(diff) };
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
