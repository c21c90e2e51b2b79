import { constants } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";

/**
 * A directory held open, so that a program starts exactly where the check was made, whatever happens to the name. Where
 * there is no /proc (macOS), the name is all there is: a weaker promise.
 */
export class StartDirectory {
  readonly #handle: FileHandle;
  /** The directory as `cwd` of a child: its own descriptor table is a copy of ours. */
  readonly path: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.path = path;
  }

  /** @returns `undefined` when the real path now leads to something else, or nowhere */
  static async open(realPath: string): Promise<StartDirectory | undefined> {
    const handle = await open(realPath, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
      () => undefined,
    );
    if (handle === undefined) return undefined;
    if (process.platform !== "linux") return new StartDirectory(handle, realPath);
    const path = `/proc/self/fd/${handle.fd}`;
    const target = await readlink(path).catch(() => undefined);
    if (target === realPath) return new StartDirectory(handle, path);
    await handle.close();
    return undefined;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
