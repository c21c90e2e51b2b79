import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { maxTrustFileBytes } from "../trust/limits.ts";

/** A project's words for agents. */
export interface Instructions {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Cut at the limit. */
  readonly text: string;
  /** Of the whole file; absent for one too large to be trusted. */
  readonly sha256?: string;
}

/** The first of the project's instruction files that exists. */
export async function readInstructions(
  cwd: string,
  names: readonly string[],
  limitBytes: number,
): Promise<Instructions | undefined> {
  for (const name of names) {
    const path = join(cwd, name);
    const read = await readText(path, limitBytes);
    if (read !== undefined && read.text.trim() !== "") return { name, path, ...read };
  }
  return undefined;
}

/** Never follows a link (it could lead out of the project), never waits for a pipe. */
async function readText(path: string, limitBytes: number): Promise<Pick<Instructions, "text" | "sha256"> | undefined> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const isWhole = stats.size <= maxTrustFileBytes;
    const bytes = await readStart(file, isWhole ? stats.size : Math.min(stats.size, limitBytes));
    const text = bytes.subarray(0, limitBytes).toString("utf8").toWellFormed();
    return {
      text: stats.size > limitBytes ? `${text}\n[… cut after ${limitBytes} bytes; read the file for the rest]` : text,
      ...(isWhole ? { sha256: createHash("sha256").update(bytes).digest("hex") } : {}),
    };
  } finally {
    await file.close();
  }
}

async function readStart(file: FileHandle, limitBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(limitBytes);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
  return buffer.subarray(0, bytesRead);
}
