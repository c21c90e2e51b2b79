import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../files/error-code.ts";

/**
 * Writes a file that is either there as a whole or not at all. When it resolves, the content is on the disk; the name is
 * once `syncFolder` has resolved for its folder.
 * @param path  what stands there is replaced
 */
export async function writeDurably(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  await writeWhole(path, pieces, async (file) => await file.sync());
}

/** The same without a flush, for what may be lost. */
export async function writeLoosely(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  await writeWhole(path, pieces, async () => undefined);
}

/** Makes the names in a folder survive a power cut, where the platform can. */
export async function syncFolder(path: string | Buffer): Promise<void> {
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    // Some file systems and Windows cannot flush a folder; the files themselves were flushed.
    if (!["EINVAL", "EPERM", "EACCES", "EISDIR", "ENOTSUP"].includes(errorCode(error) ?? "")) throw error;
  }
}

async function writeWhole(
  path: string,
  pieces: readonly Uint8Array[],
  flush: (file: FileHandle) => Promise<void>,
): Promise<void> {
  // Git takes this name for a leftover, too.
  const temporary = join(dirname(path), `tmp_obj_${process.pid}_${randomBytes(8).toString("hex")}`);
  const file = await open(temporary, "wx", 0o600);
  try {
    try {
      for (const piece of pieces) await file.writeFile(piece);
      await flush(file);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}
