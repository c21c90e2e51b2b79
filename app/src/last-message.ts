import { randomBytes } from "node:crypto";
import { lstat, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AppError, messageOf } from "@capstan/protocol";

/** The file that a run's last answer goes to. */
export interface LastMessage {
  write(text: string): Promise<void>;
}

/**
 * Empties the file, so that what it held before is never taken for this run's answer.
 * @param path  relative to the current directory
 * @throws AppError `usage.invalid` where it cannot be written
 */
export async function openLastMessage(path: string): Promise<LastMessage> {
  const file: LastMessage = { write: (text) => replace(path, text) };
  await file.write("");
  return file;
}

/** Whole or not at all, where it is a file itself; a link, a pipe or a device takes what is written. */
async function replace(path: string, text: string): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString("hex")}`);
  try {
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined && !found.isFile()) return await writeFile(path, text);
    try {
      await writeFile(beside, text, { flag: "wx", ...(found === undefined ? {} : { mode: found.mode }) });
      await rename(beside, path);
    } finally {
      await rm(beside, { force: true });
    }
  } catch (error) {
    // The name that the user gave, and not the one beside it.
    const reason = messageOf(error).replaceAll(beside, path);
    throw new AppError("usage.invalid", `the last answer cannot be written to ${path}: ${reason}`, {
      hint: "Name a file in a folder that is there and can be written to after -o.",
      cause: error,
    });
  }
}
