import { join } from "node:path";
import { AppError } from "@capstan/protocol";
import { maxBatchBytes, maxBatchObjects, maxLooseObjects, maxRememberedObjects } from "../limits.ts";
import { type GitObject, isObjectId } from "./git-object.ts";
import { LooseObjects } from "./loose-objects.ts";
import { openStore } from "./open-store.ts";
import { Packs } from "./packs.ts";
import { toStoreError } from "./store-error.ts";

/**
 * Objects by their id; only ever added. A second process on the same store is no trouble: whole files come by rename, and
 * the same object written twice is the same object.
 */
export class ObjectStore {
  readonly folder: string;
  readonly #loose: LooseObjects;
  readonly #packs: Packs;
  readonly #known = new Set<string>();
  #opened: Promise<void> | undefined;

  /** @param folder  absolute; made at the first use */
  constructor(folder: string) {
    this.folder = folder;
    this.#loose = new LooseObjects(join(folder, "objects"));
    this.#packs = new Packs(join(folder, "objects", "pack"));
  }

  /** @throws {AppError} `storage.*` when the folder cannot be made */
  async open(): Promise<void> {
    this.#opened ??= openStore(this.folder);
    try {
      await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      throw toStoreError(error, this.folder);
    }
  }

  /** Whether the object is stored, on the disk. The store must be open. @throws {AppError} `storage.*` */
  has(id: string): boolean {
    if (this.#known.has(id)) return true;
    try {
      const found = isObjectId(id) && (this.#packs.has(id) || this.#loose.has(id));
      if (found) this.#remember(id);
      return found;
    } catch (error) {
      throw toStoreError(error, this.folder);
    }
  }

  /** @returns `undefined` when it is not there, or broken. @throws {AppError} `storage.*` */
  async read(id: string): Promise<GitObject | undefined> {
    await this.open();
    if (!isObjectId(id)) return undefined;
    try {
      return (await this.#packs.read(id)) ?? (await this.#loose.read(id));
    } catch (error) {
      throw toStoreError(error, this.folder);
    }
  }

  /** The content of a folder. @throws {AppError} `storage.corrupt` when it is not there */
  async readTree(id: string): Promise<Buffer> {
    const object = await this.read(id);
    if (object?.kind === "tree") return object.content;
    throw new AppError("storage.corrupt", `${this.folder}: the checkpoint's folder ${id} is missing or broken`, {
      hint: "What was kept then cannot be compared any more. Newer checkpoints are not touched by this.",
    });
  }

  /** Writes what is not there yet; on the disk when it resolves. @throws {AppError} `storage.*` */
  async write(objects: readonly GitObject[]): Promise<void> {
    try {
      if (objects.length > maxLooseObjects) await this.#packs.write(objects);
      else if (objects.length > 0) await this.#loose.write(objects);
    } catch (error) {
      throw toStoreError(error, this.folder);
    }
    for (const { id } of objects) this.#remember(id);
  }

  #remember(id: string): void {
    if (this.#known.size >= maxRememberedObjects) this.#known.clear();
    this.#known.add(id);
  }
}

/** Objects on their way into the store; memory stays bounded. */
export class ObjectBatch {
  readonly #store: ObjectStore;
  #waiting = new Map<string, GitObject>();
  #waitingBytes = 0;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  async add(object: GitObject): Promise<void> {
    if (this.#waiting.has(object.id) || this.#store.has(object.id)) return;
    this.#waiting.set(object.id, object);
    this.#waitingBytes += object.content.length;
    if (this.#waitingBytes >= maxBatchBytes || this.#waiting.size >= maxBatchObjects) await this.flush();
  }

  /** When it resolves, all that was added is on the disk. */
  async flush(): Promise<void> {
    const objects = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#waitingBytes = 0;
    await this.#store.write(objects);
  }
}
