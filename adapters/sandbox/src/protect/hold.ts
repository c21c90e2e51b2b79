import { lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { AppError, messageOf, placeholderMark, placeholderMode } from "@capstan/protocol";
import { entryAt } from "../layout/real-path.ts";
import { maxPlaceholderTries } from "../limits.ts";
import type { OpenFolder } from "./open-folder.ts";

/** A name in a folder that is held open. */
export interface Place {
  readonly folder: OpenFolder;
  readonly name: string;
}

/** What was at a path before; something else is set aside. */
export type KeptPath =
  | { readonly type: "link"; readonly path: string; readonly target: string }
  | { readonly type: "absent"; readonly path: string };

/**
 * An empty folder in place of what is not there: git does not see it, and it can be taken away without ever taking anything else
 * away. Each run that needs it has an empty folder of its own in it, so that the last one removes it, whichever that is and in
 * whatever process.
 */
export function holdPlace({ folder, name }: Place, token: string): void {
  const path = folder.entry(name);
  const own = join(path, tokenName(token));
  for (let tries = 0; tries < maxPlaceholderTries; tries += 1) {
    try {
      makeFolder(path);
      mkdirSync(own, { mode: 0o700 });
      return;
    } catch (error) {
      // Another run has just removed it.
      if (codeOf(error) !== "ENOENT") throw explain(name, error);
    }
  }
  throw explain(name, new Error("others remove it all the time"));
}

/** Takes away the run's own folder, and the placeholder when it was the last. */
export function releasePlace({ folder, name }: Place, token: string): void {
  const path = folder.entry(name);
  // Where something else has come into its place, nothing is done in that.
  if (entryAt(path)?.isDirectory() !== true) return;
  if (removeFolder(join(path, tokenName(token)))) removeFolder(path);
}

/** Whether a folder is there for nothing but runs. */
export function isPlaceholder(path: string): boolean {
  try {
    const names = readdirSync(path);
    return names.length > 0 && names.every((name) => name.startsWith(placeholderMark));
  } catch {
    return false;
  }
}

/**
 * Puts back what a program has replaced.
 * @returns what was found, in words; `undefined` when all is as it was
 */
export function putBack({ folder, name }: Place, kept: KeptPath, token: string): string | undefined {
  const path = folder.entry(name);
  const entry = entryAt(path);
  if (entry === undefined ? kept.type === "absent" : isSame(path, kept)) return undefined;
  if (entry !== undefined) renameSync(path, folder.entry(`${name}.set-aside-${token}`));
  if (kept.type === "link") symlinkSync(kept.target, path);
  if (entry === undefined) return "was removed, and is there again";
  return kept.type === "link"
    ? "was replaced; it is as before, and what took its place is set aside"
    : "was made; it is set aside";
}

function tokenName(token: string): string {
  return `${placeholderMark}${token}`;
}

function isSame(path: string, kept: KeptPath): boolean {
  if (kept.type === "absent" || !lstatSync(path).isSymbolicLink()) return false;
  return readlinkSync(path) === kept.target;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: placeholderMode | 0o755 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Removes an empty folder, and nothing else. */
function removeFolder(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function explain(name: string, error: unknown): AppError {
  const text = `${JSON.stringify(name)} is not there, and cannot be kept from being made: ${messageOf(error)}`;
  return new AppError("sandbox.failed", text, { cause: error });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
