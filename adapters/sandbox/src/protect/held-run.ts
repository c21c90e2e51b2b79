import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, isJsonObject, messageOf } from "@capstan/protocol";
import { entryAt } from "../layout/real-path.ts";
import { ownIdentity, type ProcessIdentity, stateOf } from "../launch/process-identity.ts";
import { maxSweptNotes } from "../limits.ts";
import type { GuardPlan } from "./guard.ts";
import { holdPlace, type KeptPath, putBack, releasePlace } from "./hold.ts";
import { type FolderIdentity, OpenFolder } from "./open-folder.ts";

/** What is on the host for one run; the note of it is written first, so that a kill at any instant leaves nothing for good. */
export interface HeldRun {
  /** @returns what the program had replaced, in words */
  release(): readonly string[];
}

let runs = 0;

/** @throws AppError `sandbox.failed`, with nothing left behind */
export function holdRun(stateDirectory: string, plan: GuardPlan): HeldRun {
  if (plan.placeholders.length === 0 && plan.kept.length === 0) return { release: () => [] };
  const { pid, startTicks, namespace } = ownIdentity();
  runs += 1;
  const token = `${pid}-${startTicks}-${namespace}-${runs}`;
  const folders = openFolders(plan);
  try {
    const note = writeNote(stateDirectory, token, { ...plan, folders: identitiesOf(folders) });
    const release = (): readonly string[] => {
      const replaced = clear(plan, token, (path) => folders.get(dirname(path)));
      for (const folder of folders.values()) folder.close();
      rmSync(note, { force: true });
      return replaced;
    };
    holdAll(plan.placeholders, token, folders, release);
    return { release };
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("sandbox.failed", messageOf(error), { cause: error });
  }
}

function holdAll(
  placeholders: readonly string[],
  token: string,
  folders: ReadonlyMap<string, OpenFolder>,
  release: () => void,
): void {
  try {
    for (const path of placeholders) {
      const folder = folders.get(dirname(path));
      if (folder !== undefined) holdPlace({ folder, name: basename(path) }, token);
    }
  } catch (error) {
    release();
    throw error;
  }
}

/** The folders in which something is held, opened before the program can put anything in their place. */
function openFolders({ placeholders, kept }: GuardPlan): ReadonlyMap<string, OpenFolder> {
  const folders = new Map<string, OpenFolder>();
  try {
    for (const path of [...placeholders, ...kept.map((each) => each.path)]) {
      const parent = dirname(path);
      if (!folders.has(parent)) folders.set(parent, OpenFolder.at(parent));
    }
    return folders;
  } catch (error) {
    for (const folder of folders.values()) folder.close();
    const hint = "Something was moved in the workspace at this moment; try again.";
    throw new AppError("sandbox.failed", `The workspace cannot be guarded: ${messageOf(error)}`, {
      cause: error,
      hint,
    });
  }
}

function identitiesOf(folders: ReadonlyMap<string, OpenFolder>): RunNote["folders"] {
  return Object.fromEntries([...folders].map(([path, folder]) => [path, folder.identity]));
}

function writeNote(stateDirectory: string, token: string, note: RunNote): string {
  const folder = notesFolder(stateDirectory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${token}.json`);
  const { placeholders, kept, folders } = note;
  writeFileSync(path, JSON.stringify({ placeholders, kept, folders }), { mode: 0o600, flag: "wx" });
  return path;
}

/**
 * Takes away what killed runs have left on the host. A place whose folder is not where it was is left alone: whatever is there
 * now may be somebody else's.
 * @param last  whether notes of such places go, too: for a caller that reports what is returned
 * @returns what was left alone, in words
 */
export function sweepRuns(stateDirectory: string, last: boolean): readonly string[] {
  const folder = notesFolder(stateDirectory);
  return namesIn(folder)
    .slice(0, maxSweptNotes)
    .flatMap((name) => {
      const path = join(folder, name);
      const token = name.replace(/\.json$/, "");
      const owner = readToken(token);
      if (owner === undefined || !isOver(owner, path)) return [];
      const note = readNote(path);
      const left = note === undefined ? [] : clearAgain(note, token);
      // Another process may be clearing, too.
      if (left.length === 0 || last) rmSync(path, { force: true });
      return left;
    });
}

/** @returns the places that were left alone, in words */
function clearAgain(note: RunNote, token: string): readonly string[] {
  const opened = new Map<string, OpenFolder>();
  try {
    for (const [path, identity] of Object.entries(note.folders)) {
      const folder = OpenFolder.again(path, identity);
      if (folder !== undefined) opened.set(path, folder);
    }
    const left = [...note.placeholders, ...note.kept.map(({ path }) => path)].filter(
      (path) => !opened.has(dirname(path)),
    );
    clear(note, token, (path) => opened.get(dirname(path)));
    return left.map((path) => `${quoted(path)} is not put in order after a killed command: its folder was moved`);
  } finally {
    for (const folder of opened.values()) folder.close();
  }
}

/** A note of another process namespace says nothing of its process; after a day it has surely ended. */
const oldNoteMs = 24 * 60 * 60 * 1000;

function isOver(owner: ProcessIdentity, path: string): boolean {
  const state = stateOf(owner);
  return state === "unknown" ? Date.now() - (entryAt(path)?.mtimeMs ?? 0) > oldNoteMs : state === "gone";
}

function clear(
  { placeholders, kept }: Pick<GuardPlan, "placeholders" | "kept">,
  token: string,
  folderOf: (path: string) => OpenFolder | undefined,
): readonly string[] {
  for (const path of placeholders) {
    const folder = folderOf(path);
    if (folder !== undefined) releasePlace({ folder, name: basename(path) }, token);
  }
  return kept.flatMap((each) => {
    const folder = folderOf(each.path);
    const found = folder === undefined ? undefined : tryPutBack(folder, each, token);
    return found === undefined ? [] : [`${quoted(each.path)} ${found}`];
  });
}

function tryPutBack(folder: OpenFolder, kept: KeptPath, token: string): string | undefined {
  try {
    return putBack({ folder, name: basename(kept.path) }, kept, token);
  } catch (error) {
    return `was replaced, and cannot be put back: ${messageOf(error)}`;
  }
}

function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}

function notesFolder(stateDirectory: string): string {
  return join(stateDirectory, "runs");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readToken(token: string): ProcessIdentity | undefined {
  const [, pid, startTicks, namespace] = /^(\d+)-(\d+)-(\d+)-\d+$/.exec(token) ?? [];
  if (pid === undefined || startTicks === undefined || namespace === undefined) return undefined;
  return { pid: Number(pid), startTicks: Number(startTicks), namespace };
}

/** What a run leaves a note of: its places, and which folders they were in. */
interface RunNote extends Pick<GuardPlan, "placeholders" | "kept"> {
  readonly folders: Readonly<Record<string, FolderIdentity>>;
}

function readNote(path: string): RunNote | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(note) || !Array.isArray(note["placeholders"]) || !Array.isArray(note["kept"])) return undefined;
    const placeholders = note["placeholders"].filter((entry) => typeof entry === "string");
    const folders = isJsonObject(note["folders"]) ? note["folders"] : {};
    return {
      placeholders,
      kept: note["kept"].flatMap(readKept),
      folders: Object.fromEntries(Object.entries(folders).flatMap(([folder, value]) => readIdentity(folder, value))),
    };
  } catch {
    // It was being written when its process was killed: nothing was made yet.
    return undefined;
  }
}

function readIdentity(path: string, value: unknown): readonly (readonly [string, FolderIdentity])[] {
  if (!isJsonObject(value)) return [];
  const { device, inode, born } = value;
  const isWhole = typeof device === "string" && typeof inode === "string" && typeof born === "string";
  return isWhole ? [[path, { device, inode, born }]] : [];
}

function readKept(entry: unknown): readonly KeptPath[] {
  if (!isJsonObject(entry)) return [];
  const { type, path, target } = entry;
  if (typeof path !== "string") return [];
  if (type === "link" && typeof target === "string") return [{ type, path, target }];
  return type === "absent" ? [{ type, path }] : [];
}
