import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isWithin } from "@capstan/patterns";
import { maxDepth, maxFileBytes, maxNamedFiles } from "./limits.ts";

/** A file as it was read, once. */
export interface ReadFile {
  readonly text: string;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** @returns `undefined` for what is no file, too large, no text, or cannot be read */
export async function readTextFile(path: string): Promise<ReadFile | undefined> {
  try {
    // oxlint-disable-next-line no-bitwise -- open flags are bits
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > maxFileBytes) return undefined;
      const bytes = await file.readFile();
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      return text.includes("\0") ? undefined : { text, sha256: createHash("sha256").update(bytes).digest("hex") };
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Where a file of a skill really lies; `undefined`: not in its folder, or nowhere. */
export async function placeInSkill(skillFile: string, file: string): Promise<string | undefined> {
  try {
    const folder = await realpath(dirname(skillFile));
    const path = await realpath(resolve(folder, file));
    return isWithin(folder, path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Paths of the files of a skill beside its `SKILL.md`, in order. */
export async function filesOfSkill(skillFile: string): Promise<readonly string[]> {
  const folder = dirname(skillFile);
  const found = await filesBelow(folder, 0);
  return found
    .map((path) => relative(folder, path).split(sep).join("/"))
    .filter((name) => name !== "SKILL.md")
    .toSorted()
    .slice(0, maxNamedFiles);
}

async function filesBelow(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .map(async (entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) return depth < maxDepth ? await filesBelow(path, depth + 1) : [];
        return entry.isFile() ? [path] : [];
      }),
  );
  return found.flat();
}
