import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { SandboxOptions } from "../options.ts";

export type FoundBubblewrap =
  | { readonly type: "found"; readonly path: string }
  | { readonly type: "missing"; readonly reason: string };

/** The real path of a `bwrap` that nobody but the system or this user can have written, and no command. */
export function findBubblewrap({ bubblewrap, searchPath, open = [] }: SandboxOptions): FoundBubblewrap {
  if (bubblewrap !== undefined) {
    const doubt = isAbsolute(bubblewrap) ? distrust(bubblewrap, open) : "its path is not absolute";
    return doubt === undefined
      ? { type: "found", path: realpathSync(bubblewrap) }
      : { type: "missing", reason: `${bubblewrap} is not used: ${doubt}` };
  }
  const doubts: string[] = [];
  for (const directory of searchPath.split(":").filter((entry) => isAbsolute(entry))) {
    const path = join(directory, "bwrap");
    const doubt = distrust(path, open);
    if (doubt === undefined) return { type: "found", path: realpathSync(path) };
    if (doubt !== notThere) doubts.push(`${path} is not used: ${doubt}`);
  }
  return { type: "missing", reason: doubts.length === 0 ? "bubblewrap (bwrap) is not installed" : doubts.join("; ") };
}

const notThere = "it is not there";

function distrust(path: string, open: readonly string[]): string | undefined {
  try {
    const real = realpathSync(path);
    if (open.some((folder) => isWithin(folder, real))) return "it lies where commands may change it";
    const file = statSync(real);
    if (!file.isFile()) return "it is no file";
    accessSync(real, constants.X_OK);
    return distrustEntry(file) ?? distrustEntry(statSync(dirname(real)));
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EACCES" ? "it is not executable" : notThere;
  }
}

function distrustEntry({ uid, mode }: { readonly uid: number; readonly mode: number }): string | undefined {
  if (uid !== 0 && uid !== process.getuid?.()) return "it, or its folder, belongs to another user";
  return (mode & constants.S_IWOTH) === 0 ? undefined : "everyone may write to it, or to its folder";
}
