import { closeSync, constants, existsSync, lstatSync, openSync, realpathSync } from "node:fs";
import { join, parse, sep } from "node:path";
import { type FolderEntry, listFolder, onDisk } from "@capstan/byte-paths";
import { syncFolder } from "../store/durable-file.ts";

/**
 * A folder held open by descriptor. Names are looked up in this very folder, whatever happens to its path meanwhile, and a
 * link on the way to it is never followed.
 *
 * Without `/proc/self/fd` (not Linux) names are looked up by path, and that path is compared with the real one on opening:
 * weaker, since a swap afterwards goes unnoticed.
 */
export class PinnedFolder {
  readonly path: string;
  readonly #descriptor: number;

  private constructor(path: string, descriptor: number) {
    this.path = path;
    this.#descriptor = descriptor;
  }

  /**
   * @param path  absolute, normalised and without links
   * @throws the system's error: ENOENT, ENOTDIR (also for a link), …
   */
  static at(path: string): PinnedFolder {
    const { root } = parse(path);
    let folder = new PinnedFolder(root, openSync(root, folderFlags));
    for (const name of path.slice(root.length).split(sep)) {
      if (name === "") continue;
      try {
        const next = folder.enter(name);
        folder.close();
        folder = next;
      } catch (error) {
        folder.close();
        throw error;
      }
    }
    return folder;
  }

  /** Opens the folder of that name; a link or anything else fails with ENOTDIR. The caller closes it. */
  enter(name: string): PinnedFolder {
    const path = join(this.path, name);
    const descriptor = openSync(this.address(name), folderFlags);
    if (!byDescriptor && realpathSync.native(path) !== path) {
      closeSync(descriptor);
      throw Object.assign(new Error(`${path} is reached through a link`), { code: "ENOTDIR" });
    }
    return new PinnedFolder(path, descriptor);
  }

  /** What the system is given for a name in this folder. */
  address(name: string): string | Buffer {
    return onDisk(byDescriptor ? `/proc/self/fd/${this.#descriptor}/${name}` : join(this.path, name));
  }

  /** What lies in it. @throws the system's error */
  entries(): readonly FolderEntry[] {
    return listFolder(byDescriptor ? `/proc/self/fd/${this.#descriptor}/.` : this.path);
  }

  /** Whether there is something of that name. */
  holds(name: string): boolean {
    return lstatSync(this.address(name), { throwIfNoEntry: false }) !== undefined;
  }

  /** Makes the names in it survive a power cut. */
  async sync(): Promise<void> {
    await syncFolder(this.address("."));
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

const byDescriptor = process.platform === "linux" && existsSync("/proc/self/fd");
/** O_PATH of Linux, which Node does not name: a folder on the way needs no right to be listed. */
const pathOnly = byDescriptor ? 0x200000 : 0;
// oxlint-disable-next-line no-bitwise -- the system's flags are built that way
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | pathOnly;
