import { dirname, join } from "node:path";
import type { SandboxOptions } from "../options.ts";
import { problemOfOpening } from "./check-layout.ts";
import { entryAt } from "./real-path.ts";

/**
 * The repository that a folder is a part of, by the top of its work tree: a package of a monorepo needs what lies around it. `undefined`: the
 * folder has a repository of its own, or there is none around it, or one that is another user's or must not be opened.
 * @param folder  absolute, real
 */
export function repositoryAround(folder: string, options: SandboxOptions): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const entry = entryAt(join(at, ".git"));
    if (entry !== undefined) return at !== folder && isOwn(at, options) ? at : undefined;
    if (dirname(at) === at) return undefined;
  }
}

function isOwn(top: string, options: SandboxOptions): boolean {
  const user = process.getuid?.();
  const entries = [top, join(top, ".git")].map((path) => entryAt(path));
  return entries.every((entry) => entry?.uid === user) && problemOfOpening(top, options) === undefined;
}
