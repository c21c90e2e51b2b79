import { chmodSync, closeSync, constants, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../layout/real-path.ts";

/** A file and a folder that nobody can open: what is laid over protected ones. */
export interface ClosedSources {
  readonly file: string;
  readonly folder: string;
}

/** @throws the system's error when they can be neither found nor made */
export function closedSourcesIn(stateDirectory: string): ClosedSources {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const file = join(stateDirectory, "closed-file");
  const folder = join(stateDirectory, "closed-folder");
  if (entryAt(file) === undefined) {
    closeSync(openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  }
  if (entryAt(folder) === undefined) mkdirSync(folder);
  for (const path of [file, folder]) chmodSync(path, 0o000);
  return { file, folder };
}
