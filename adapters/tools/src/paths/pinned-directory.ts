import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  realpathSync,
} from "node:fs";
import { type FileHandle, link, mkdir, open, opendir, rename, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { errorCode } from "./error-code.ts";
import { OpenFile } from "./open-file.ts";

/**
 * A directory held open by descriptor. Names are looked up in this very directory, whatever happens to its path meanwhile,
 * and a link is never followed.
 *
 * Without `/proc/self/fd` (not Linux) names are looked up by path and compared after opening: weaker, since a swap between
 * the two is noticed for what was opened, but not prevented for renames.
 *
 * Directories are opened and closed synchronously: that takes some 10 µs, the way through the thread pool ten times that.
 */
export class PinnedDirectory {
  readonly #descriptor: number;
  readonly #path: string;
  readonly #byDescriptor: boolean;

  private constructor(descriptor: number, path: string, byDescriptor: boolean) {
    this.#descriptor = descriptor;
    this.#path = path;
    this.#byDescriptor = byDescriptor;
  }

  /** @param root  absolute real path */
  static open(root: string): PinnedDirectory {
    const byDescriptor = existsSync("/proc/self/fd");
    return new PinnedDirectory(openSync(root, directoryFlags), root, byDescriptor);
  }

  /** Opens the directory of that name. A link or anything else fails with ENOTDIR or ELOOP. */
  enter(name: string): PinnedDirectory {
    const descriptor = openSync(this.#address(name), directoryFlags);
    this.#compare(descriptor, name, () => closeSync(descriptor));
    return new PinnedDirectory(descriptor, join(this.#path, name), this.#byDescriptor);
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
  openFile(name: string): OpenFile {
    const file = OpenFile.open(this.#address(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    this.#compare(file.descriptor, name, () => file.close());
    return file;
  }

  /** Makes a new file for writing; fails when the name is taken. The caller closes it. */
  async createFile(name: string, mode: number): Promise<FileHandle> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    return await open(this.#address(name), flags, mode);
  }

  /** What the name stands for, a link not followed; `undefined`: nothing. */
  inspect(name: string): BigIntStats | undefined {
    try {
      return lstatSync(this.#address(name), { bigint: true });
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
      await promisify(fsync)(this.#descriptor);
    } catch (error) {
      // Some file systems and Windows cannot flush a directory; the files themselves were flushed.
      if (!["EINVAL", "EPERM", "EACCES", "EISDIR", "ENOTSUP"].includes(errorCode(error) ?? "")) throw error;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Where names are looked up by path, what was opened must still be what the name stands for. */
  #compare(descriptor: number, name: string, close: () => void): void {
    if (this.#byDescriptor) return;
    if (this.#isUnchanged(descriptor, name)) return;
    close();
    throw Object.assign(new Error("swapped while opening"), { code: "ELOOP" });
  }

  #isUnchanged(descriptor: number, name: string): boolean {
    try {
      const address = this.#address(name);
      const opened = fstatSync(descriptor, { bigint: true });
      const there = lstatSync(address, { bigint: true });
      // Case-insensitive file systems answer with their own spelling.
      return (
        opened.ino === there.ino && opened.dev === there.dev && fold(realpathSync.native(address)) === fold(address)
      );
    } catch {
      return false;
    }
  }

  #address(name: string): string {
    return this.#byDescriptor ? `/proc/self/fd/${this.#descriptor}/${name}` : join(this.#path, name);
  }
}

const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
