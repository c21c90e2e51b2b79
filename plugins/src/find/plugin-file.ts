import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Whose a plugin is: the user's own folder, one that their configuration names, or a workspace that they trust. */
export type PluginOrigin = "user" | "configured" | "workspace";

/** A file of a plugin, read once: these bytes are hashed, and these run. */
export interface PluginFile {
  /** Relative to the plugin's folder, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** A plugin as it lies on disk; nothing of it has run. */
export interface FoundPlugin {
  /** The name of its file without `.plugin.…`, or of its folder or package. */
  readonly id: string;
  readonly from: PluginOrigin;
  /** Absolute. */
  readonly folder: string;
  /** The file that is loaded, relative to the folder. */
  readonly entry: string;
  readonly files: readonly PluginFile[];
}

/** A plugin that cannot be used, and why, for people. */
export interface LeftPlugin {
  readonly id: string;
  readonly file: string;
  readonly problem: string;
}

/**
 * @param isOwn  only a file that nobody but its owner can change counts
 * @throws Error in words for people
 */
export async function readPluginFile(
  file: string,
  path: string,
  { isOwn, limitBytes }: { readonly isOwn: boolean; readonly limitBytes: number },
): Promise<PluginFile> {
  // oxlint-disable-next-line no-bitwise -- open flags are bits
  const opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await opened.stat();
    if (!stats.isFile()) throw new Error(`${file} is no file`);
    if (isOwn) requireOwn(file, stats);
    if (stats.size > limitBytes) throw new Error(`its files have more than the bytes that a plugin may have`);
    const bytes = await opened.readFile();
    return { path, bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  } finally {
    await opened.close();
  }
}

/** @throws Error where others than its owner can change it, or its owner is another user */
export function requireOwn(path: string, { uid, mode }: { readonly uid: number; readonly mode: number }): void {
  // oxlint-disable-next-line no-bitwise -- modes are bits
  if ((mode & 0o022) !== 0) throw new Error(`others can change ${path}: chmod go-w ${JSON.stringify(path)}`);
  const user = process.getuid?.();
  if (user !== undefined && uid !== user && uid !== 0) throw new Error(`${path} belongs to another user`);
}

/** One hash for all files of a plugin, hex. */
export function pluginHash({ entry, files }: Pick<FoundPlugin, "entry" | "files">): string {
  const hash = createHash("sha256").update(entry);
  for (const { path, sha256 } of files) hash.update(`\0${path}\0${sha256}`);
  return hash.digest("hex");
}
