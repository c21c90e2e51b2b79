import { renameSync, symlinkSync } from "node:fs";
import { onDisk, readLink } from "@capstan/byte-paths";
import { entryAt } from "../layout/real-path.ts";
import type { OpenFolder } from "./open-folder.ts";

/** A link as it was before; something else in its place is set aside. */
export interface KeptLink {
  readonly path: string;
  readonly target: string;
}

/**
 * Puts back a link that a program has replaced.
 * @param folder  the one that it was in, held open
 * @returns what was found, in words; `undefined` when all is as it was
 */
export function putBack(
  folder: OpenFolder,
  { name, target }: { readonly name: string; readonly target: string },
  token: string,
): string | undefined {
  const path = folder.entry(name);
  const entry = entryAt(path);
  if (entry?.isSymbolicLink() === true && leadsTo(path, target)) return undefined;
  if (entry !== undefined) renameSync(onDisk(path), onDisk(folder.entry(`${name}.set-aside-${token}`)));
  symlinkSync(onDisk(target), onDisk(path));
  return entry === undefined
    ? "was removed, and is there again"
    : "was replaced; it is as before, and what took its place is set aside";
}

function leadsTo(path: string, target: string): boolean {
  return readLink(path) === target;
}
