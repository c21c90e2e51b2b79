import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "@capstan/protocol";
import { runProcess } from "../run-command/run-process.ts";
import { listingTimeoutMs, maxListedFiles } from "./limits.ts";

/** The files of a folder. */
export interface Listing {
  /** Relative to the folder, with `/`, in no order. */
  readonly paths: readonly string[];
  readonly isPartial: boolean;
}

/**
 * Lists the files below a folder with ripgrep: an argument vector, no configuration, an empty environment. What git ignores is left out,
 * whether or not there is a repository, and so is `.git`. Links are not followed, and names that are no text are left out.
 * @param cwd  absolute real path
 * @throws AppError `storage.unavailable`
 */
export async function listFiles(program: string, cwd: string): Promise<Listing> {
  const paths: string[] = [];
  const enough = new AbortController();
  let rest: Buffer = Buffer.alloc(0);
  const ended = await runProcess({
    file: program,
    args: [...flags, ...(isInRepository(cwd) ? [] : ["--no-ignore-parent"]), "--", "."],
    cwd,
    environment: {},
    timeoutMs: listingTimeoutMs,
    signal: enough.signal,
    onData: (stream, bytes) => {
      if (stream === "stderr" || enough.signal.aborted) return undefined;
      rest = takePaths(rest.length === 0 ? bytes : Buffer.concat([rest, bytes]), paths);
      if (paths.length >= maxListedFiles) enough.abort();
      return undefined;
    },
  }).catch(() => undefined);
  // 1: there is none. 2: some could not be read.
  const isWhole = ended?.cause === "exited" && (ended.exitCode ?? 0) < 2;
  if (!isWhole && paths.length === 0) {
    throw new AppError("storage.unavailable", `the files of ${JSON.stringify(cwd)} cannot be listed`, {
      hint: "Is the folder still there, and may it be read?",
    });
  }
  return { paths: paths.slice(0, maxListedFiles), isPartial: !isWhole };
}

const flags: readonly string[] = [
  "--files",
  "--null",
  "--no-config",
  "--no-messages",
  "--hidden",
  "--glob=!.git",
  "--no-require-git",
  "--no-ignore-global",
  "--no-ignore-dot",
];

/** Above a workspace ignore files hold up to the root of its repository; nobody else's have a say. */
function isInRepository(cwd: string): boolean {
  let at = cwd;
  while (!existsSync(join(at, ".git")) && dirname(at) !== at) at = dirname(at);
  return existsSync(join(at, ".git"));
}

/** @returns what has no end yet */
function takePaths(bytes: Buffer, paths: string[]): Buffer {
  const end = bytes.lastIndexOf(0);
  if (end === -1) return bytes;
  for (const name of bytes.toString("utf8", 0, end).split("\0")) {
    const path = name.startsWith("./") ? name.slice(2) : name;
    if (!path.includes("\uFFFD")) paths.push(path);
  }
  return bytes.subarray(end + 1);
}
