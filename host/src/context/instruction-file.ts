import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** The first of the project's instruction files that exists, cut at the limit. */
export async function readInstructions(
  cwd: string,
  names: readonly string[],
  limitBytes: number,
): Promise<{ readonly name: string; readonly text: string } | undefined> {
  for (const name of names) {
    const text = await readText(join(cwd, name), limitBytes);
    if (text !== undefined && text.trim() !== "") return { name, text };
  }
  return undefined;
}

/** Never follows a link (it could lead out of the project), never waits for a pipe. */
async function readText(path: string, limitBytes: number): Promise<string | undefined> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(stats.size, limitBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const text = buffer.subarray(0, bytesRead).toString("utf8").toWellFormed();
    return stats.size > limitBytes ? `${text}\n[… cut after ${limitBytes} bytes; read the file for the rest]` : text;
  } finally {
    await file.close();
  }
}
