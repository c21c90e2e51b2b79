import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWithin } from "@capstan/patterns";
import { AppError, isJsonObject, type JsonValue, messageOf } from "@capstan/protocol";
import { onDisk } from "@capstan/byte-paths";
import { entryAt } from "../layout/real-path.ts";
import { maxQuarantined } from "../limits.ts";
import { OpenFolder } from "../protect/open-folder.ts";

/** What was taken out of a workspace, whole as it was. */
export interface QuarantinedItem {
  /** Eight digits of 16. */
  readonly id: string;
  /** Where it was, absolute. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly movedAt: number;
  readonly kind: "file" | "folder" | "link" | "other";
  /** Where it is now. */
  readonly place: string;
  /** Somebody knows of it. */
  readonly isReported: boolean;
}

/**
 * What commands put where agents, editors or git would obey it. Nothing is ever deleted but by its user; what lies on another file
 * system is renamed beside its place, for it could not be moved in one step.
 */
export class Quarantine {
  readonly #directory: string;

  /** @param stateDirectory  the sandbox's own */
  constructor(stateDirectory: string) {
    this.#directory = join(stateDirectory, "quarantine");
  }

  /**
   * @param path  absolute; only its last name can be a link
   * @param isReported  whether the caller reports it
   * @throws the system's error; an error when the path leads elsewhere by now
   */
  take(path: string, isReported: boolean): QuarantinedItem {
    const folder = OpenFolder.at(dirname(path));
    const id = randomBytes(4).toString("hex");
    const own = join(this.#directory, id);
    try {
      const kind = kindOf(folder.entry(basename(path)));
      const item: QuarantinedItem = { id, path, movedAt: Date.now(), kind, place: join(own, "item"), isReported };
      mkdirSync(own, { recursive: true, mode: 0o700 });
      // Before it is moved: a kill in between leaves a note of nothing, and not something without a note.
      this.#note(item);
      return this.#move(folder, item);
    } finally {
      folder.close();
    }
  }

  /** Oldest first. */
  list(): readonly QuarantinedItem[] {
    return namesIn(this.#directory)
      .slice(0, maxQuarantined)
      .flatMap((id) => this.#read(id))
      .toSorted((a, b) => a.movedAt - b.movedAt);
  }

  /** What nobody knows of yet in some folders; from now on somebody does. */
  report(roots: readonly string[]): readonly QuarantinedItem[] {
    const unreported = this.list().filter(
      ({ path, isReported }) => !isReported && roots.some((root) => isWithin(root, path)),
    );
    for (const item of unreported) this.#note({ ...item, isReported: true });
    return unreported;
  }

  /**
   * Puts it back where it was.
   * @param id  or the beginning of one
   * @throws AppError `quarantine.not-found`, `quarantine.occupied`; the system's error
   */
  restore(id: string): QuarantinedItem {
    const item = this.#find(id);
    const folder = folderOf(item);
    try {
      const path = folder.entry(basename(item.path));
      if (entryAt(path) !== undefined) {
        const hint = "Move it away first, then restore.";
        throw new AppError("quarantine.occupied", `something else is at ${JSON.stringify(item.path)} by now`, { hint });
      }
      renameSync(onDisk(item.place), onDisk(path));
      this.#forget(item);
      return item;
    } finally {
      folder.close();
    }
  }

  /** Deletes it for good. @param id  or the beginning of one @throws AppError `quarantine.not-found`; the system's error */
  drop(id: string): QuarantinedItem {
    const item = this.#find(id);
    rmSync(onDisk(item.place), { recursive: true, force: true });
    this.#forget(item);
    return item;
  }

  #move(folder: OpenFolder, item: QuarantinedItem): QuarantinedItem {
    const name = basename(item.path);
    try {
      renameSync(onDisk(folder.entry(name)), onDisk(item.place));
      return item;
    } catch (error) {
      if (!isOfOtherDisk(error)) throw this.#withoutNote(item, error);
    }
    const aside = { ...item, place: `${item.path}.set-aside-${item.id}` };
    try {
      this.#note(aside);
      renameSync(onDisk(folder.entry(name)), onDisk(folder.entry(basename(aside.place))));
      return aside;
    } catch (error) {
      throw this.#withoutNote(item, error);
    }
  }

  #withoutNote(item: QuarantinedItem, error: unknown): unknown {
    this.#forget(item);
    return error;
  }

  #note(item: QuarantinedItem): void {
    writeFileSync(join(this.#directory, item.id, "note.json"), JSON.stringify(item), { mode: 0o600 });
  }

  #forget({ id }: QuarantinedItem): void {
    rmSync(join(this.#directory, id), { recursive: true, force: true });
  }

  #find(id: string): QuarantinedItem {
    const found = this.list().filter((item) => item.id.startsWith(id));
    const [item] = found;
    if (item !== undefined && found.length === 1) return item;
    const hint = "`capstan quarantine list` shows what there is.";
    const text = `${found.length === 0 ? "nothing" : "more than one thing"} in quarantine has the id ${JSON.stringify(id)}`;
    throw new AppError("quarantine.not-found", text, { hint });
  }

  #read(id: string): readonly QuarantinedItem[] {
    try {
      const note: JsonValue = JSON.parse(readFileSync(join(this.#directory, id, "note.json"), "utf8"));
      const item = readItem(note);
      return item !== undefined && item.id === id && entryAt(item.place) !== undefined ? [item] : [];
    } catch {
      // It was being written when its process was killed: nothing was moved yet.
      return [];
    }
  }
}

function folderOf({ path }: QuarantinedItem): OpenFolder {
  try {
    return OpenFolder.at(dirname(path));
  } catch (error) {
    const text = `the folder ${JSON.stringify(dirname(path))} is not there any more: ${messageOf(error)}`;
    throw new AppError("quarantine.occupied", text, { cause: error, hint: "Make that folder first, then restore." });
  }
}

function kindOf(path: string): QuarantinedItem["kind"] {
  const entry = entryAt(path);
  if (entry?.isSymbolicLink() === true) return "link";
  if (entry?.isDirectory() === true) return "folder";
  return entry?.isFile() === true ? "file" : "other";
}

function readItem(note: JsonValue): QuarantinedItem | undefined {
  if (!isJsonObject(note)) return undefined;
  const { id, path, movedAt, kind, place, isReported } = note;
  if (typeof id !== "string" || typeof path !== "string" || typeof place !== "string") return undefined;
  if (typeof movedAt !== "number") return undefined;
  if (kind !== "file" && kind !== "folder" && kind !== "link" && kind !== "other") return undefined;
  return { id, path, movedAt, kind, place, isReported: isReported === true };
}

function isOfOtherDisk(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EXDEV";
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
