import { type BigIntStats, constants, existsSync } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, opendir, realpath, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./error-code.ts";

/**
 * A directory held open by descriptor. Names are looked up in this very directory, whatever happens to its path meanwhile,
 * and a link is never followed.
 *
 * Without `/proc/self/fd` (not Linux) names are looked up by path and compared after opening: weaker, since a swap between
 * the two is noticed for what was opened, but not prevented for renames.
 */
export class PinnedDirectory {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #byDescriptor: boolean;

  private constructor(handle: FileHandle, path: string, byDescriptor: boolean) {
    this.#handle = handle;
    this.#path = path;
    this.#byDescriptor = byDescriptor;
  }

  /** @param root  absolute real path */
  static async open(root: string): Promise<PinnedDirectory> {
    const byDescriptor = existsSync("/proc/self/fd");
    return new PinnedDirectory(await open(root, directoryFlags), root, byDescriptor);
  }

  /** Opens the directory of that name. A link or anything else fails with ENOTDIR or ELOOP. */
  async enter(name: string): Promise<PinnedDirectory> {
    const handle = await this.#open(name, directoryFlags);
    return new PinnedDirectory(handle, join(this.#path, name), this.#byDescriptor);
  }

  /** Makes the directory unless there is something of that name. @returns whether it was made */
  async make(name: string): Promise<boolean> {
    try {
      await mkdir(this.#address(name));
      return true;
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    }
  }

  /** Opens a file for reading, without waiting for the other end of a pipe. The caller checks its type and closes it. */
  async openFile(name: string): Promise<FileHandle> {
    return await this.#open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  }

  /** Makes a new file for writing; fails when the name is taken. The caller closes it. */
  async createFile(name: string, mode: number): Promise<FileHandle> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    return await open(this.#address(name), flags, mode);
  }

  /** What the name stands for, a link not followed; `undefined`: nothing. */
  async inspect(name: string): Promise<BigIntStats | undefined> {
    try {
      return await lstat(this.#address(name), { bigint: true });
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Names in the directory, in the system's order, at most `limit`. */
  async names(limit: number): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const entry of await opendir(this.#address("."))) {
      if (names.length >= limit) break;
      names.push(entry.name);
    }
    return names;
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(this.#address(from), this.#address(to));
  }

  /** Gives the file a second name; fails when that is taken. */
  async link(from: string, to: string): Promise<void> {
    await link(this.#address(from), this.#address(to));
  }

  async unlink(name: string): Promise<void> {
    await unlink(this.#address(name));
  }

  async removeDirectory(name: string): Promise<void> {
    await rmdir(this.#address(name));
  }

  /** Makes renames in this directory survive a power cut, where the platform can. */
  async sync(): Promise<void> {
    try {
      await this.#handle.sync();
    } catch (error) {
      // Some file systems and Windows cannot flush a directory; the files themselves were flushed.
      if (!["EINVAL", "EPERM", "EACCES", "EISDIR", "ENOTSUP"].includes(errorCode(error) ?? "")) throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #open(name: string, flags: number): Promise<FileHandle> {
    const handle = await open(this.#address(name), flags);
    if (this.#byDescriptor) return handle;
    try {
      await this.#compare(handle, name);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #compare(handle: FileHandle, name: string): Promise<void> {
    const address = this.#address(name);
    const [opened, there, real] = [
      await handle.stat({ bigint: true }),
      await this.inspect(name),
      await realpath(address),
    ];
    const same = there !== undefined && opened.ino === there.ino && opened.dev === there.dev;
    // Case-insensitive file systems answer with their own spelling.
    if (!same || fold(real) !== fold(address))
      throw Object.assign(new Error("swapped while opening"), { code: "ELOOP" });
  }

  #address(name: string): string {
    return this.#byDescriptor ? `/proc/self/fd/${this.#handle.fd}/${name}` : join(this.#path, name);
  }
}

const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
