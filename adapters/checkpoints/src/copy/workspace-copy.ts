import { chmod, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { CopyChanges, WorkspaceCopy } from "@capstan/ports";
import { AppError, type FileEffect, type Workspace } from "@capstan/protocol";
import { applyEffects } from "../effects/apply-effects.ts";
import { shownPath } from "../files/shown-path.ts";
import { type CheckpointParts, keepTrees, type KeptTree } from "../keep.ts";
import { leftoverAgeMs } from "../limits.ts";
import { treesSince } from "../since.ts";
import { StatCache } from "../walk/stat-cache.ts";
import { copyRoom, copyTree } from "./copy-tree.ts";

/**
 * Makes a private copy of a workspace, with changes in it that its files do not have.
 * @param home  where copies lie, each in a folder that is named after the process that made it
 */
export async function copyWorkspace(
  parts: CheckpointParts,
  home: string,
  { workspace, over }: { readonly workspace: Workspace; readonly over: readonly FileEffect[] },
  signal: AbortSignal,
): Promise<WorkspaceCopy> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await removeLost(home);
  const folder = await mkdtemp(join(home, `${process.pid}-`));
  try {
    return await fillCopy({ ...parts, excluded: [...parts.excluded, home] }, folder, { workspace, over }, signal);
  } catch (error) {
    await removeCopy(folder);
    throw error;
  }
}

async function fillCopy(
  { store, excluded, limits }: CheckpointParts,
  folder: string,
  { workspace, over }: { readonly workspace: Workspace; readonly over: readonly FileEffect[] },
  signal: AbortSignal,
): Promise<WorkspaceCopy> {
  const roots = outermost([workspace.cwd, ...workspace.roots]);
  const folders = roots.map((path, at) => ({ path, copy: join(folder, `workspace-${at}`) }));
  const room = copyRoom();
  const isApart = (path: string): boolean => excluded.some((apart) => path === apart);
  for (const { path, copy } of folders) await copyTree(path, copy, { room, isApart, signal });
  const toCopy = (path: string): string => moved(folders, path, "path", "copy");
  const copied = { cwd: toCopy(workspace.cwd), roots: workspace.roots.map(toCopy) };
  // What is remembered of its files goes with it.
  const parts = { store, excluded: [], limits, statCache: new StatCache(join(folder, "seen")) };
  const laid = await applyEffects(
    parts,
    copied,
    over.map((effect) => ({ ...effect, path: toCopy(effect.path) })),
    signal,
  );
  const failed = laid.find((answer) => answer.type === "conflict");
  if (failed?.type === "conflict") throw notLaid(failed.path, failed.reason);
  const before = await keepTrees(
    parts,
    folders.map(({ copy }) => copy),
    ignore,
    signal,
  );
  return {
    folders,
    workspace: copied,
    changes: async (at) => await changesIn(parts, before, (path) => moved(folders, path, "copy", "path"), at),
    remove: async () => await removeCopy(folder),
  };
}

/** What has content that is not kept cannot be brought into the workspace later. */
async function changesIn(
  parts: CheckpointParts,
  before: readonly KeptTree[],
  toReal: (path: string) => string,
  signal: AbortSignal,
): Promise<CopyChanges> {
  const effects: FileEffect[] = [];
  const left: string[] = [];
  for (const effect of await treesSince(parts, before, signal)) {
    const path = toReal(effect.path);
    const isKept = effect.after === null || (await parts.store.read(effect.after.blob)) !== undefined;
    if (isKept) effects.push({ ...effect, path });
    else left.push(path);
  }
  return { effects, left };
}

function moved(folders: WorkspaceCopy["folders"], path: string, from: "path" | "copy", to: "path" | "copy"): string {
  const folder = folders.find((each) => isWithin(each[from], path));
  if (folder === undefined) throw new AppError("internal.bug", "a path lies in no folder of the workspace");
  return `${folder[to]}${path.slice(folder[from].length)}`;
}

function outermost(paths: readonly string[]): readonly string[] {
  const unique = [...new Set(paths)];
  return unique.filter((path) => !unique.some((other) => other !== path && isWithin(other, path)));
}

function notLaid(path: string, reason: string): AppError {
  return new AppError(
    "tool.failed",
    `A change that was proposed before cannot be laid over ${shownPath(path)}: ${reason}.`,
  );
}

function ignore(): void {
  // What is not kept of the copy is no change of the workspace.
}

/** Copies of processes that are gone, and that nobody can be using any more. */
async function removeLost(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const [, digits = ""] = /^(\d{1,9})-/.exec(name) ?? [];
    if (digits === "" || isAlive(Number(digits))) continue;
    const path = join(home, name);
    const changedMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - changedMs > leftoverAgeMs) await removeCopy(path);
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Programs may have taken away the right to change what they made. */
async function removeCopy(path: string): Promise<void> {
  const remove = async (): Promise<void> => await rm(path, { recursive: true, force: true });
  await remove().catch(async () => {
    await openFolders(path);
    await remove();
  });
}

async function openFolders(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(path, entry.name));
}
