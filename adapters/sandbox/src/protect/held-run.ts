import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError, messageOf } from "@capstan/protocol";
import { entryAt } from "../layout/real-path.ts";
import { ownIdentity, type ProcessIdentity, stateOf } from "../launch/process-identity.ts";
import { maxSweptNotes } from "../limits.ts";
import type { SandboxOptions } from "../options.ts";
import { clearNewNames } from "../quarantine/clear-new-names.ts";
import { Quarantine } from "../quarantine/quarantine.ts";
import { type FolderIdentity, OpenFolder } from "./open-folder.ts";
import { namesIn, readToken } from "./other-runs.ts";
import { surveyAll } from "./plan-protection.ts";
import { type KeptLink, putBack } from "./put-back.ts";
import { notesFolder, readNote, type RunGround, type RunNote, writeNote } from "./run-note.ts";

/** What must be on the host as it was after one run; the note of it is written first. */
export interface HeldRun {
  /** @returns which links the program had replaced */
  putBack(): readonly ReplacedLink[];
  /** Where there was nothing, by the paths that lead there now. */
  absent(): readonly string[];
  /** Nothing is to be done for it any more. */
  close(): void;
}

/** A link that is as it was. */
export interface ReplacedLink {
  /** Where it is now: its folder may have been moved. */
  readonly path: string;
  readonly text: string;
}

let runs = 0;

/** @throws AppError `sandbox.failed`, with nothing left behind */
export function holdRun(stateDirectory: string, ground: RunGround): HeldRun {
  const { pid, startTicks, namespace } = ownIdentity();
  runs += 1;
  const token = `${pid}-${startTicks}-${namespace}-${runs}`;
  const folders = openFolders(placesOf(ground));
  try {
    const note = writeNote(stateDirectory, token, { ...ground, folders: identitiesOf(folders) });
    return {
      putBack: () => putAllBack(ground.links, token, (path) => folders.get(dirname(path))),
      absent: () => absentNow(ground, (path) => folders.get(path)),
      close: () => {
        for (const folder of folders.values()) folder.close();
        rmSync(note, { force: true });
      },
    };
  } catch (error) {
    for (const folder of folders.values()) folder.close();
    throw new AppError("sandbox.failed", messageOf(error), { cause: error });
  }
}

function placesOf({ links, absent }: RunGround): ReadonlySet<string> {
  return new Set([...links.map(({ path }) => dirname(path)), ...absent.map(({ folder }) => folder)]);
}

function absentNow({ absent }: RunGround, folderOf: (path: string) => OpenFolder | undefined): readonly string[] {
  return absent.flatMap(({ folder, rest }) => {
    const now = folderOf(folder)?.path;
    // By its old path, too: something else may have taken the folder's place.
    return [...new Set([...(now === undefined ? [] : [join(now, rest)]), join(folder, rest)])];
  });
}

/** The folders in which something is put back or moved away, opened before the program can put anything in their place. */
function openFolders(places: ReadonlySet<string>): ReadonlyMap<string, OpenFolder> {
  const folders = new Map<string, OpenFolder>();
  try {
    for (const path of places) folders.set(path, OpenFolder.at(path));
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

function identitiesOf(folders: ReadonlyMap<string, OpenFolder>): Readonly<Record<string, FolderIdentity>> {
  return Object.fromEntries([...folders].map(([path, folder]) => [path, folder.identity]));
}

type SweptPlace = Pick<SandboxOptions, "stateDirectory" | "deniedPatterns">;

/**
 * Puts in order what killed runs have left on the host. A place whose folder is not where it was is left alone: whatever is there
 * now may be somebody else's.
 * @param last  whether notes of such places go, too: for a caller that reports what is returned
 * @returns what was left alone, in words
 */
export async function sweepRuns(
  { stateDirectory, deniedPatterns }: SweptPlace,
  last: boolean,
): Promise<readonly string[]> {
  const folder = notesFolder(stateDirectory);
  const quarantine = new Quarantine(stateDirectory);
  const all: string[] = [];
  for (const name of namesIn(folder).slice(0, maxSweptNotes)) {
    const path = join(folder, name);
    const token = name.replace(/\.json$/, "");
    const owner = readToken(token);
    if (owner === undefined || !isOver(owner, path)) continue;
    const note = readNote(path);
    const left = note === undefined ? [] : await sweep({ note, token, deniedPatterns }, quarantine);
    // Another process may be clearing, too.
    if (left.length === 0 || last) rmSync(path, { force: true });
    all.push(...left);
  }
  return all;
}

interface LeftRun extends Pick<SweptPlace, "deniedPatterns"> {
  readonly note: RunNote;
  readonly token: string;
}

/** @returns the places that were left alone, in words */
async function sweep({ note, token, deniedPatterns }: LeftRun, quarantine: Quarantine): Promise<readonly string[]> {
  const opened = new Map<string, OpenFolder>();
  const madeAgain: string[] = [];
  const absent: string[] = [];
  try {
    for (const [path, identity] of Object.entries(note.folders)) {
      const folder = OpenFolder.again(path, identity);
      if (folder !== undefined) opened.set(path, folder);
    }
    const again = putAllBack(note.links, token, (path) => opened.get(dirname(path)));
    madeAgain.push(...again.map(({ path }) => path));
    absent.push(...absentNow(note, (path) => opened.get(path)));
  } finally {
    for (const folder of opened.values()) folder.close();
  }
  const roots = note.roots.filter((path) => entryAt(path)?.isDirectory() === true);
  const surveys = await surveyAll(roots, { deniedPatterns, opened: roots, isScript: () => false });
  const { problems } = clearNewNames(
    { ...note, absent, putBack: madeAgain, isReported: false },
    [...surveys.values()],
    quarantine,
  );
  const lost = note.links.filter(({ path }) => !opened.has(dirname(path)));
  return [
    ...lost.map(({ path }) => `${quoted(path)} is not put in order after a killed command: its folder was moved`),
    ...problems,
  ];
}

/** A note of another process namespace says nothing of its process; after a day it has surely ended. */
const oldNoteMs = 24 * 60 * 60 * 1000;

function isOver(owner: ProcessIdentity, path: string): boolean {
  const state = stateOf(owner);
  return state === "unknown" ? Date.now() - (entryAt(path)?.mtimeMs ?? 0) > oldNoteMs : state === "gone";
}

function putAllBack(
  links: readonly KeptLink[],
  token: string,
  folderOf: (path: string) => OpenFolder | undefined,
): readonly ReplacedLink[] {
  return links.flatMap(({ path, target }) => {
    const folder = folderOf(path);
    if (folder === undefined) return [];
    const found = tryPutBack(folder, { name: basename(path), target }, token);
    if (found === undefined) return [];
    return [{ path: join(folder.path ?? dirname(path), basename(path)), text: `${quoted(path)} ${found}` }];
  });
}

function tryPutBack(folder: OpenFolder, link: Parameters<typeof putBack>[1], token: string): string | undefined {
  try {
    return putBack(folder, link, token);
  } catch (error) {
    return `was replaced, and cannot be put back: ${messageOf(error)}`;
  }
}

function quoted(path: string): string {
  return JSON.stringify(path).slice(1, -1);
}
