import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isWithin } from "@capstan/patterns";

type Environment = Readonly<Record<string, string>>;

/** What a program is looked for in when nothing else is left. */
const usualPath = "/usr/local/bin:/usr/bin:/bin";

/**
 * An environment whose search path names no place that a command of the workspace could have put something in: a repository's
 * `node_modules/.bin/ls` must not become `ls`.
 * @param open  real paths of the folders commands may change
 */
export function withTrustedPath(environment: Environment, open: readonly string[]): Environment {
  const path = environment["PATH"];
  if (path === undefined) return environment;
  const trusted = path.split(":").filter((entry) => isAbsolute(entry) && !leadsInto(entry, open));
  return { ...environment, PATH: trusted.length === 0 ? usualPath : trusted.join(":") };
}

/** By its name, or by where that leads. */
function leadsInto(entry: string, folders: readonly string[]): boolean {
  const real = realPath(entry);
  return folders.some((folder) => isWithin(folder, entry) || isWithin(folder, real));
}

function realPath(entry: string): string {
  try {
    return realpathSync.native(entry);
  } catch {
    return entry;
  }
}
