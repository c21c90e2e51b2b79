import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from "node:fs";
import { isWithin } from "@capstan/patterns";
import { AppError, messageOf } from "@capstan/protocol";
import { maxConfigFileBytes } from "../config-limits.ts";
import { quotePath } from "../quote.ts";
import { distrust } from "./distrust.ts";

/*
 * Everything here is synchronous on purpose: start-up waits for it anyway, the files are small, and a round trip through
 * the thread pool for each would cost more than the reading.
 */

/** A file's text and the hash of its bytes, nothing where there is no file, or why it must not be used. */
export type ConfigFileText =
  | { readonly type: "text"; readonly text: string; readonly sha256: string }
  | { readonly type: "absent" }
  | { readonly type: "refused"; readonly reason: string };

/**
 * Reads the user's own file. One that somebody else owns or could have written is refused: it would speak with the
 * user's authority. The check is made on the open file.
 * @throws AppError `config.unreadable`
 */
export function readUserFile(file: string): ConfigFileText {
  return withOpenFile(file, constants.O_RDONLY, (descriptor, stats) => {
    const reason = distrust(stats);
    if (reason !== undefined) return { type: "refused", reason };
    return readText(file, descriptor, stats);
  });
}

/**
 * Reads a file that holds for everybody on the machine: only its owner, who is nobody's user, may have written it.
 * @throws AppError `config.unreadable`
 */
export function readManagedFile(file: string, owner: number): ConfigFileText {
  return withOpenFile(file, constants.O_RDONLY, (descriptor, stats) => {
    const reason = distrustOfManaged(stats, owner);
    return reason === undefined ? readText(file, descriptor, stats) : { type: "refused", reason };
  });
}

/** Why a managed file or directory does not count; `undefined` when it does. */
export function distrustOfManaged(stats: Stats, owner: number): string | undefined {
  if (stats.uid !== owner) return `it is owned by uid ${stats.uid}, not by ${owner === 0 ? "root" : `uid ${owner}`}`;
  if ((stats.mode & 0o022) === 0) return undefined;
  return `others may write to it (mode ${(stats.mode & 0o777).toString(8).padStart(4, "0")})`;
}

/**
 * Reads a project's file, which must lie inside the project after every link is resolved, and which nobody else could have
 * written.
 * @throws AppError `config.unreadable`
 */
export function readProjectFile(file: string, projectRoot: string): ConfigFileText {
  const real = resolveOrAbsent(file);
  if (real === undefined) return { type: "absent" };
  const outside: ConfigFileText = { type: "refused", reason: "it is a link that leads outside the project" };
  if (!isWithin(projectRoot, real)) return outside;
  return withOpenFile(real, constants.O_RDONLY | constants.O_NOFOLLOW, (descriptor, stats) => {
    // A directory on the way may have become a link since; Linux can say what was really opened.
    if (process.platform === "linux" && !isWithin(projectRoot, readlinkSync(`/proc/self/fd/${descriptor}`))) {
      return outside;
    }
    const reason = distrust(stats);
    if (reason !== undefined) return { type: "refused", reason };
    return readText(file, descriptor, stats);
  });
}

function withOpenFile(
  file: string,
  flags: number,
  use: (descriptor: number, stats: Stats) => ConfigFileText,
): ConfigFileText {
  let descriptor: number;
  try {
    // Without O_NONBLOCK a pipe put in the file's place would hold us forever.
    descriptor = openSync(file, flags | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return { type: "absent" };
    throw unreadable(file, messageOf(error), error);
  }
  try {
    return use(descriptor, fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function readText(file: string, descriptor: number, stats: Stats): ConfigFileText {
  if (!stats.isFile()) throw unreadable(file, "not a regular file");
  const buffer = Buffer.allocUnsafe(maxConfigFileBytes + 1);
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (length > maxConfigFileBytes) throw unreadable(file, `larger than ${maxConfigFileBytes} bytes`);
    if (read === 0) break;
  }
  const bytes = buffer.subarray(0, length);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { type: "text", text, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch (error) {
    throw unreadable(file, "not UTF-8 text", error);
  }
}

function resolveOrAbsent(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(file, messageOf(error), error);
  }
}

function isMissing(error: unknown): boolean {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

function unreadable(file: string, reason: string, cause?: unknown): AppError {
  return new AppError("config.unreadable", `${quotePath(file)}: ${reason}`, {
    cause,
    hint: "Correct the file, or start with `--safe-mode`, which reads no configuration file.",
  });
}
