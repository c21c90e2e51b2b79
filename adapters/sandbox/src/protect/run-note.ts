import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonValue } from "@capstan/protocol";
import type { GoverningState } from "../quarantine/new-names.ts";
import type { FolderIdentity } from "./open-folder.ts";
import type { KeptLink } from "./put-back.ts";

/** A path at which there is nothing. */
export interface AbsentPath {
  /** The first folder above it that is there. */
  readonly folder: string;
  /** The way from there. */
  readonly rest: string;
}

/** How things are on the host when a run starts, as far as they must be so afterwards. */
export interface RunGround {
  /** Real paths of the open folders. */
  readonly roots: readonly string[];
  readonly links: readonly KeptLink[];
  readonly absent: readonly AbsentPath[];
  readonly governing: GoverningState;
}

/** What a run leaves a note of, so that a kill at any instant leaves nothing for good. */
export interface RunNote extends RunGround {
  /** Which folders these were in. */
  readonly folders: Readonly<Record<string, FolderIdentity>>;
}

export function notesFolder(stateDirectory: string): string {
  return join(stateDirectory, "runs");
}

/** @returns its path @throws the system's error */
export function writeNote(stateDirectory: string, token: string, note: RunNote): string {
  const folder = notesFolder(stateDirectory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${token}.json`);
  const { roots, links, absent, governing, folders } = note;
  writeFileSync(path, JSON.stringify({ roots, links, absent, governing, folders }), { mode: 0o600, flag: "wx" });
  return path;
}

/** @returns `undefined` when it was being written as its process was killed: nothing had started yet */
export function readNote(path: string): RunNote | undefined {
  try {
    const note: JsonValue = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(note)) return undefined;
    const { roots, links, absent, governing, folders } = note;
    if (!isJsonObject(governing) || !Array.isArray(links)) return undefined;
    return {
      roots: textsIn(roots),
      links: links.flatMap(readLink),
      absent: (Array.isArray(absent) ? absent : []).flatMap(readAbsent),
      governing: { names: textsOf(governing["names"]), workTrees: textsOf(governing["workTrees"]) },
      folders: Object.fromEntries(
        Object.entries(isJsonObject(folders) ? folders : {}).flatMap(([folder, value]) => readIdentity(folder, value)),
      ),
    };
  } catch {
    return undefined;
  }
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function textsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])));
}

function readIdentity(path: string, value: JsonValue): readonly (readonly [string, FolderIdentity])[] {
  if (!isJsonObject(value)) return [];
  const { device, inode, born } = value;
  const isWhole = typeof device === "string" && typeof inode === "string" && typeof born === "string";
  return isWhole ? [[path, { device, inode, born }]] : [];
}

function readAbsent(entry: JsonValue): readonly AbsentPath[] {
  if (!isJsonObject(entry)) return [];
  const { folder, rest } = entry;
  return typeof folder === "string" && typeof rest === "string" ? [{ folder, rest }] : [];
}

function readLink(entry: JsonValue): readonly KeptLink[] {
  if (!isJsonObject(entry)) return [];
  const { path, target } = entry;
  return typeof path === "string" && typeof target === "string" ? [{ path, target }] : [];
}
