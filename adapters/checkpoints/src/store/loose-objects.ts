import { lstatSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { errorCode } from "../files/error-code.ts";
import { maxObjectBytes } from "../limits.ts";
import { compress } from "./compress.ts";
import { syncFolder, writeDurably } from "./durable-file.ts";
import { type GitObject, gitObject, objectHeader } from "./git-object.ts";

/** Objects that are files of their own, `objects/ab/cdef…`, as Git writes them. */
export class LooseObjects {
  readonly #folder: string;

  /** @param folder  `objects` of the store */
  constructor(folder: string) {
    this.#folder = folder;
  }

  has(id: string): boolean {
    return lstatSync(this.#pathOf(id), { throwIfNoEntry: false }) !== undefined;
  }

  /** @returns `undefined` when there is none; an object whose content is not what its name says is none */
  async read(id: string): Promise<GitObject | undefined> {
    let bytes: Buffer;
    try {
      bytes = await readFile(this.#pathOf(id));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
    const object = decode(bytes);
    return object?.id === id ? object : undefined;
  }

  /** Writes them all; on the disk when it resolves. */
  async write(objects: readonly GitObject[]): Promise<void> {
    const folders = new Set<string>();
    let madeFolders = false;
    for (const { id } of objects) {
      const folder = join(this.#folder, id.slice(0, 2));
      if (folders.has(folder)) continue;
      madeFolders = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined || madeFolders;
      folders.add(folder);
    }
    await allSettledOrThrow(objects.map(async (object) => await this.#writeOne(object)));
    await allSettledOrThrow([...folders].map(syncFolder));
    if (madeFolders) await syncFolder(this.#folder);
  }

  async #writeOne({ id, kind, content }: GitObject): Promise<void> {
    const header = Buffer.from(objectHeader(kind, content.length));
    await writeDurably(this.#pathOf(id), [await compress(Buffer.concat([header, content]))]);
  }

  #pathOf(id: string): string {
    return join(this.#folder, id.slice(0, 2), id.slice(2));
  }
}

/** Waits for all of them even when one fails, so that nothing is left running. */
async function allSettledOrThrow(writes: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(writes)) if (result.status === "rejected") throw result.reason;
}

function decode(bytes: Buffer): GitObject | undefined {
  try {
    const plain = inflateSync(bytes, { maxOutputLength: maxObjectBytes });
    const end = plain.indexOf(0);
    const [, kind] = /^(blob|tree) \d+$/.exec(plain.toString("latin1", 0, Math.max(0, end))) ?? [];
    if (kind !== "blob" && kind !== "tree") return undefined;
    return gitObject(kind, plain.subarray(end + 1));
  } catch {
    return undefined;
  }
}
