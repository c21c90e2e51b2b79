import type { BigIntStats } from "node:fs";
import { ToolRefusal } from "@capstan/protocol";
import type { OpenFile } from "./open-file.ts";
import { PinnedDirectory } from "./pinned-directory.ts";
import { quotedPath } from "./path-syntax.ts";
import { systemRefusal } from "./system-refusal.ts";
import type { ResolvedPath } from "./workspace-paths.ts";

/**
 * Reads a whole file that was resolved before, as it is or will be. The bytes come from the resolved file or not at all, whatever is renamed or linked meanwhile.
 * @throws {ToolRefusal} `file.too-large` beyond `limitBytes`; `path.*` when it is not, or no longer, that regular file
 */
export async function readPinned(resolved: ResolvedPath, limitBytes: number): Promise<Buffer> {
  const { staged } = resolved;
  if (staged !== undefined) {
    if (staged.length > limitBytes) throw tooLarge(resolved, limitBytes);
    return staged;
  }
  return await withPinnedFile(resolved, async (file) => {
    const content = await readAtMost(file, limitBytes + 1);
    if (content.length > limitBytes) throw tooLarge(resolved, limitBytes);
    return content;
  });
}

/** Opens the resolved file for reading, checks that it is the same regular file, and closes it when `use` has ended. */
export async function withPinnedFile<T>(
  resolved: ResolvedPath,
  use: (file: OpenFile, stats: BigIntStats) => Promise<T>,
): Promise<T> {
  try {
    return await withPinnedParent(resolved, async (parent, name) => {
      const file = parent.openFile(name);
      try {
        const stats = regularStats(file, resolved.shown);
        if (resolved.identity !== undefined && identityOf(stats) !== resolved.identity) throw replaced(resolved);
        return await use(file, stats);
      } finally {
        file.close();
      }
    });
  } catch (error) {
    throw systemRefusal(error, resolved.shown);
  }
}

/** Holds the directory of the resolved path open while `use` runs. */
export async function withPinnedParent<T>(
  resolved: ResolvedPath,
  use: (parent: PinnedDirectory, name: string) => Promise<T>,
): Promise<T> {
  const names = resolved.relative.split("/");
  const leaf = names.pop() ?? "";
  if (leaf === "")
    throw new ToolRefusal("rejected", "path.not-a-file", `${quotedPath(resolved.shown)} is a directory.`);
  let directory = PinnedDirectory.open(resolved.root);
  try {
    for (const name of names) {
      const next = directory.enter(name);
      const left = directory;
      directory = next;
      left.close();
    }
    return await use(directory, leaf);
  } finally {
    directory.close();
  }
}

/** @throws {ToolRefusal} `path.not-a-file` for pipes, sockets, devices and directories */
export function regularStats(file: OpenFile, shown: string): BigIntStats {
  const stats = file.stats();
  if (stats.isFile()) return stats;
  const kind = stats.isDirectory() ? "is a directory" : "is a device, pipe or socket";
  throw new ToolRefusal("rejected", "path.not-a-file", `${quotedPath(shown)} ${kind}.`);
}

/** Device and inode: the same as long as it is the same file. */
export function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}

/** Reads from the start until the end or `limitBytes`, whatever size the file claims to have. */
export async function readAtMost(file: OpenFile, limitBytes: number): Promise<Buffer> {
  const size = Number(file.stats().size);
  // One byte more than claimed, so that the end is seen without a second buffer.
  let buffer = Buffer.allocUnsafe(Math.min(limitBytes, size + 1));
  let length = 0;
  while (length < limitBytes) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(limitBytes, buffer.length * 2 + 1));
    const bytesRead = await file.read(buffer.subarray(length), length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

function tooLarge(resolved: ResolvedPath, limitBytes: number): ToolRefusal {
  return new ToolRefusal(
    "rejected",
    "file.too-large",
    `${quotedPath(resolved.shown)} is larger than ${limitBytes} bytes.`,
  );
}

function replaced(resolved: ResolvedPath): ToolRefusal {
  const text = `${quotedPath(resolved.shown)} was replaced while it was being opened. Try again.`;
  return new ToolRefusal("rejected", "file.stale", text);
}
