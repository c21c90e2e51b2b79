import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../paths/error-code.ts";
import { maxPrunedNames, maxStatusBytes, statusKeptMs } from "../limits.ts";
import { readRunId } from "./run-id.ts";
import { parseRunStatus, type RunStatus } from "./run-status.ts";
import { StatusFile } from "./status-file.ts";

/** What is known of a run. `lost`: there is no folder, so that a missing file says nothing. */
export type KnownStatus = RunStatus | { readonly type: "missing" | "lost" | "unreadable" };

/** A folder with one small file for each run, which says after a crash how far the run had come. */
export class StatusFolder {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Makes the folder. @throws the system's error */
  open(): void {
    if (!existsSync(this.#directory)) mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
  }

  /** @throws the system's error; also when there is such a file */
  create(runId: string): StatusFile {
    return new StatusFile(this.#path(runId));
  }

  /** @param runId  one that `readRunId` accepts */
  read(runId: string): KnownStatus {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(this.#path(runId), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      if (!fstatSync(descriptor).isFile()) return { type: "unreadable" };
      const buffer = Buffer.alloc(maxStatusBytes);
      return lastStatus(buffer.toString("utf8", 0, readSync(descriptor, buffer)));
    } catch (error) {
      if (errorCode(error) !== "ENOENT") return { type: "unreadable" };
      return { type: existsSync(this.#directory) ? "missing" : "lost" };
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** Removes what runs long past have left. Never fails: what cannot be removed is left. */
  async prune(nowMs: number): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    const old = names.slice(0, maxPrunedNames).filter((name) => isOld(name, nowMs));
    await Promise.allSettled(old.map(async (name) => await unlink(join(this.#directory, name))));
  }

  #path(runId: string): string {
    return join(this.#directory, `${runId}.jsonl`);
  }
}

/** A line that was cut off says nothing: what was to follow it had not happened. */
function lastStatus(text: string): KnownStatus {
  const line = text.split("\n").at(-2) ?? "";
  return parseRunStatus(line) ?? { type: "unreadable" };
}

function isOld(name: string, nowMs: number): boolean {
  const origin = readRunId(name.replace(/\.jsonl$/, ""));
  return origin !== undefined && nowMs - origin.mintedAtMs > statusKeptMs;
}
