import { type BigIntStats, closeSync, fstatSync, openSync, read, readSync } from "node:fs";

/** What is read on the spot: most files are smaller, and the way through the thread pool takes longer than the reading. */
const promptReadBytes: number = 64 * 1024;

/** A file open for reading, by descriptor. */
export class OpenFile {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @throws the system's error */
  static open(path: string, flags: number): OpenFile {
    return new OpenFile(openSync(path, flags));
  }

  get descriptor(): number {
    return this.#descriptor;
  }

  stats(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /**
   * Reads into `buffer` from its start. Only the beginning of a file is read on the spot, so that a long one on a slow disk
   * holds nothing else up.
   * @returns how many bytes came; 0 at the end
   */
  async read(buffer: Buffer, position: number): Promise<number> {
    if (position + buffer.length <= promptReadBytes)
      return readSync(this.#descriptor, buffer, 0, buffer.length, position);
    return await new Promise((resolve, reject) => {
      read(this.#descriptor, buffer, 0, buffer.length, position, (error, bytesRead) => {
        if (error === null) resolve(bytesRead);
        else reject(error);
      });
    });
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
