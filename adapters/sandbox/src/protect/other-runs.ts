import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "@capstan/patterns";
import { type ProcessIdentity, stateOf } from "../launch/process-identity.ts";
import { notesFolder, readNote } from "./run-note.ts";

/** Who holds a run, from the name of its note. */
export function readToken(token: string): ProcessIdentity | undefined {
  const [, pid, startTicks, namespace] = /^(\d+)-(\d+)-(\d+)-\d+$/.exec(token) ?? [];
  if (pid === undefined || startTicks === undefined || namespace === undefined) return undefined;
  return { pid: Number(pid), startTicks: Number(startTicks), namespace };
}

/**
 * Whether commands run, of this process or another one, that may move things in these folders at this moment: then what was not seen
 * need not be gone.
 */
export function runsIn(stateDirectory: string, roots: readonly string[]): boolean {
  const folder = notesFolder(stateDirectory);
  return namesIn(folder).some((name) => {
    const owner = readToken(name.replace(/\.json$/, ""));
    if (owner === undefined || stateOf(owner) === "gone") return false;
    const note = readNote(join(folder, name));
    return note?.roots.some((path) => roots.some((root) => isWithin(root, path) || isWithin(path, root))) === true;
  });
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
