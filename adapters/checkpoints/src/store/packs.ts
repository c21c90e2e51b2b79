import { readFileSync, readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { syncFolder, writeDurably } from "./durable-file.ts";
import type { GitObject } from "./git-object.ts";
import { decodePackEntry, encodePack } from "./pack-file.ts";
import { encodePackIndex, PackIndex } from "./pack-index.ts";

/** Objects many in a file, `objects/pack/pack-….pack` with its `.idx`, as Git writes them. Packs of other processes are seen, too. */
export class Packs {
  readonly #folder: string;
  /** By the name without ending; `undefined`: not an index we can read. Newest last. */
  readonly #indexes = new Map<string, PackIndex | undefined>();
  #listedMs = -1;

  /** @param folder  `objects/pack` of the store */
  constructor(folder: string) {
    this.#folder = folder;
  }

  has(id: string): boolean {
    return this.#find(id) !== undefined || (this.#lookAgain() && this.#find(id) !== undefined);
  }

  /** @returns `undefined` when there is none; an object whose content is not what its name says is none */
  async read(id: string): Promise<GitObject | undefined> {
    if (!this.has(id)) return undefined;
    const place = this.#find(id);
    if (place === undefined) return undefined;
    try {
      const object = decodePackEntry(await this.#bytesOf(place));
      return object?.id === id ? object : undefined;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Writes them as one pack; on the disk when it resolves. */
  async write(objects: readonly GitObject[]): Promise<void> {
    const { pieces, places, checksum } = await encodePack(objects);
    const name = `pack-${checksum.toString("hex")}`;
    const index = encodePackIndex(places, checksum);
    // Git looks for packs by their index: it comes last.
    await writeDurably(join(this.#folder, `${name}.pack`), [Buffer.concat(pieces)]);
    await writeDurably(join(this.#folder, name + indexEnding), [index]);
    await syncFolder(this.#folder);
    this.#indexes.set(name, PackIndex.parse(index));
  }

  #find(id: string): Place | undefined {
    for (const [name, index] of [...this.#indexes].toReversed()) {
      const offset = index?.offsetOf(id);
      if (index !== undefined && offset !== undefined) return { name, offset, end: index.endOf(offset) };
    }
    return undefined;
  }

  /** Reads the indexes that have come since. @returns whether there may be new ones */
  #lookAgain(): boolean {
    const changedMs = statSync(this.#folder).mtimeMs;
    if (changedMs === this.#listedMs) return false;
    // Names that come within the same tick are seen the next time.
    this.#listedMs = Date.now() - changedMs > 100 ? changedMs : -1;
    for (const file of readdirSync(this.#folder)) {
      const name = file.endsWith(indexEnding) ? file.slice(0, -indexEnding.length) : file;
      if (name === file || this.#indexes.has(name)) continue;
      this.#indexes.set(name, PackIndex.parse(readFileSync(join(this.#folder, file))));
    }
    return true;
  }

  async #bytesOf({ name, offset, end }: Place): Promise<Buffer> {
    const file = await open(join(this.#folder, `${name}.pack`), "r");
    try {
      const bytes = Buffer.allocUnsafe(Math.max(0, (end ?? (await file.stat()).size - 20) - offset));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}

const indexEnding = ".idx";

/** Bytes of a pack, from `offset` to before `end`. */
interface Place {
  readonly name: string;
  readonly offset: number;
  readonly end: number | undefined;
}
