import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, messageOf } from "@capstan/protocol";
import { entryAt } from "../layout/real-path.ts";
import { ownIdentity, type ProcessIdentity, stateOf } from "../launch/process-identity.ts";
import { maxSweptNotes } from "../limits.ts";
import type { GuardPlan, KeptPath } from "./guard.ts";
import { holdPlace, putBack, releasePlace } from "./hold.ts";

/** What is on the host for one run; the note of it is written first, so that a kill at any instant leaves nothing for good. */
export interface HeldRun {
  /** @returns what the program had replaced, in words */
  release(): readonly string[];
}

let runs = 0;

/** @throws AppError `sandbox.failed`, with nothing left behind */
export function holdRun(stateDirectory: string, { placeholders, kept }: GuardPlan): HeldRun {
  if (placeholders.length === 0 && kept.length === 0) return { release: () => [] };
  const { pid, startTicks, namespace } = ownIdentity();
  runs += 1;
  const token = `${pid}-${startTicks}-${namespace}-${runs}`;
  const folder = notesFolder(stateDirectory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const note = join(folder, `${token}.json`);
  writeFileSync(note, JSON.stringify({ placeholders, kept }), { mode: 0o600, flag: "wx" });
  const release = (): readonly string[] => {
    const replaced = clear({ placeholders, kept }, token);
    rmSync(note, { force: true });
    return replaced;
  };
  try {
    for (const path of placeholders) holdPlace(path, token);
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

/** Takes away what killed runs have left on the host. */
export function sweepRuns(stateDirectory: string): void {
  const folder = notesFolder(stateDirectory);
  for (const name of namesIn(folder).slice(0, maxSweptNotes)) {
    const path = join(folder, name);
    const token = name.replace(/\.json$/, "");
    const owner = readToken(token);
    if (owner === undefined || !isOver(owner, path)) continue;
    const plan = readNote(path);
    if (plan !== undefined) clear(plan, token);
    // Another process may be clearing, too.
    rmSync(path, { force: true });
  }
}

/** A note of another process namespace says nothing of its process; after a day it has surely ended. */
const oldNoteMs = 24 * 60 * 60 * 1000;

function isOver(owner: ProcessIdentity, path: string): boolean {
  const state = stateOf(owner);
  return state === "unknown" ? Date.now() - (entryAt(path)?.mtimeMs ?? 0) > oldNoteMs : state === "gone";
}

function clear({ placeholders, kept }: Pick<GuardPlan, "placeholders" | "kept">, token: string): readonly string[] {
  for (const path of placeholders) releasePlace(path, token);
  return kept.flatMap((each) => {
    const found = tryPutBack(each, token);
    return found === undefined ? [] : [`${JSON.stringify(each.path).slice(1, -1)} ${found}`];
  });
}

function tryPutBack(kept: KeptPath, token: string): string | undefined {
  try {
    return putBack(kept, token);
  } catch (error) {
    return `was replaced, and cannot be put back: ${messageOf(error)}`;
  }
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

function readNote(path: string): Pick<GuardPlan, "placeholders" | "kept"> | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isJsonObject(note) || !Array.isArray(note["placeholders"]) || !Array.isArray(note["kept"])) return undefined;
    const placeholders = note["placeholders"].filter((entry) => typeof entry === "string");
    return { placeholders, kept: note["kept"].flatMap(readKept) };
  } catch {
    // It was being written when its process was killed: nothing was made yet.
    return undefined;
  }
}

function readKept(entry: unknown): readonly KeptPath[] {
  if (!isJsonObject(entry)) return [];
  const { type, path, target } = entry;
  if (typeof path !== "string") return [];
  if (type === "link" && typeof target === "string") return [{ type, path, target }];
  return type === "absent" ? [{ type, path }] : [];
}
