import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { entriesOf, isTooLong } from "@capstan/byte-paths";
import { maxSearchedFolders, surveySliceDirectories } from "../limits.ts";
import { identityAt } from "./identity-at.ts";
import { entryOf, shutness } from "./shut-folder.ts";

/** Where files and folders are by now. */
interface Located {
  readonly paths: ReadonlyMap<string, string>;
  /** Folders that cannot be looked into, and that a program can open. */
  readonly shut: readonly string[];
  /** All else was looked at, or everything found. */
  readonly isWhole: boolean;
}

/** Looks through folders for files and folders that may be anywhere in them, installed packages and all depths included. */
export async function findIdentities(roots: readonly string[], wanted: ReadonlySet<string>): Promise<Located> {
  const numbers = new Set([...wanted].map((identity) => identity.slice(0, identity.lastIndexOf(":"))));
  const paths = new Map<string, string>();
  const shut: string[] = [];
  const waiting = [...roots];
  let isCut = false;
  for (let looked = 1; waiting.length > 0 && paths.size < wanted.size; looked += 1) {
    if (looked > maxSearchedFolders) return { paths, shut, isWhole: false };
    if (looked % surveySliceDirectories === 0) await setImmediate();
    const folder = waiting.pop() ?? "";
    const state = shutness(folder);
    if (state === "own") shut.push(folder);
    if (state !== "open") continue;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (isTooLong(path)) isCut = true;
      else if (entry.isDirectory()) waiting.push(path);
      const identity = identityAmong(path, numbers);
      if (identity !== undefined && wanted.has(identity) && !paths.has(identity)) paths.set(identity, path);
    }
  }
  return { paths, shut, isWhole: !isCut };
}

/** Which file lies there, should its number be one of these; numbers of inodes are used again. */
function identityAmong(path: string, numbers: ReadonlySet<string>): string | undefined {
  const found = entryOf(path);
  return found !== undefined && numbers.has(`${found.dev}:${found.ino}`) ? identityAt(path) : undefined;
}
