import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { ToolRefusal } from "@capstan/protocol";
import type { FileEdit } from "./file-edit.ts";
import { errorCode } from "../../paths/error-code.ts";
import type { PinnedDirectory } from "../../paths/pinned-directory.ts";
import type { OpenFile } from "../../paths/open-file.ts";
import { identityOf, regularStats } from "../../paths/pinned-file.ts";
import { quotedPath } from "../../paths/path-syntax.ts";
import { hashFile } from "./hash-file.ts";
import { temporaryName } from "./temporary-name.ts";

/** One file of a commit, on its way: prepare, verify, apply, then tidy; or takeBack from wherever it stands. */
export class FileReplacement {
  readonly shown: string;
  readonly #edit: FileEdit;
  readonly #parent: PinnedDirectory;
  readonly #name: string;
  readonly #temporary: string = temporaryName("new");
  readonly #backup: string = temporaryName("old");
  #original: BigIntStats | undefined;
  #temporaryIdentity: string | undefined;
  #state: "untouched" | "backed-up" | "applied" = "untouched";

  constructor(edit: FileEdit, parent: PinnedDirectory) {
    this.shown = edit.resolved.shown;
    this.#edit = edit;
    this.#parent = parent;
    this.#name = edit.resolved.relative.split("/").at(-1) ?? "";
  }

  /** Puts the new content on disk under a temporary name, with the original's mode. */
  async prepare(): Promise<void> {
    this.#original = await this.#inspectOriginal();
    if (this.#edit.content === null) return;
    // Nobody else reads it before it has its final mode.
    const file = await this.#parent.createFile(this.#temporary, this.#original === undefined ? 0o666 : 0o600);
    try {
      this.#temporaryIdentity = identityOf(await file.stat({ bigint: true }));
      await file.writeFile(this.#edit.content);
      if (this.#original !== undefined) await copyOwnerAndMode(file, this.#original);
      else if (this.#edit.mode !== undefined) await file.chmod(this.#edit.mode);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Checks that the original is what the edit was made for. */
  async verify(): Promise<void> {
    if (this.#original === undefined) {
      if (this.#parent.inspect(this.#name) !== undefined) throw this.#stale();
      return;
    }
    this.#original = await this.#readOriginal(async (file, stats) => {
      if ((await hashFile(file)) !== this.#edit.before) throw this.#stale();
      return stats;
    });
  }

  /** Puts the new file in the place of the old one. */
  async apply(): Promise<void> {
    if (this.#original === undefined) {
      await this.#putInEmptyPlace(this.#temporary);
      this.#state = "applied";
      return;
    }
    await this.#backUp(this.#original);
    const place = this.#parent.inspect(this.#name);
    if (place !== undefined && identityOf(place) !== identityOf(this.#original)) throw this.#stale();
    if (this.#edit.content !== null) await this.#parent.rename(this.#temporary, this.#name);
    else if (place !== undefined) await this.#parent.unlink(this.#name);
    this.#state = "applied";
    // Somebody may have written into the old file while its place was taken.
    if (!(await this.#isUnchanged(this.#original))) throw this.#stale();
  }

  /** Removes what the change no longer needs. Never fails: a leftover is only untidy. */
  async tidy(): Promise<void> {
    await this.#remove(this.#temporary);
    if (this.#original !== undefined) await this.#remove(this.#backup);
  }

  /** Restores the original, from any state. @throws when that is not possible; the backup's name is in the message */
  async takeBack(): Promise<void> {
    const changed = this.#state;
    this.#state = "untouched";
    if (changed === "applied" && this.#original === undefined) {
      if (await this.#isOurs(this.#name)) await this.#parent.unlink(this.#name);
    } else if (changed !== "untouched") {
      await this.#restore();
    }
    await this.#remove(this.#temporary);
  }

  async #inspectOriginal(): Promise<BigIntStats | undefined> {
    if (this.#edit.before === null) {
      if (this.#parent.inspect(this.#name) !== undefined) throw this.#stale();
      return undefined;
    }
    const stats = await this.#readOriginal(async (_, found) => await Promise.resolve(found));
    if ((stats.mode & 0o222n) === 0n) {
      throw new ToolRefusal("rejected", "tool.failed", `${quotedPath(this.shown)} is marked read-only.`);
    }
    return stats;
  }

  async #readOriginal<T>(use: (file: OpenFile, stats: BigIntStats) => Promise<T>): Promise<T> {
    const file = this.#openOriginal();
    try {
      return await use(file, regularStats(file, this.shown));
    } finally {
      file.close();
    }
  }

  #openOriginal(): OpenFile {
    try {
      return this.#parent.openFile(this.#name);
    } catch (error) {
      if (errorCode(error) === "ENOENT") throw this.#stale(error);
      throw error;
    }
  }

  async #putInEmptyPlace(from: string): Promise<void> {
    try {
      // A second name instead of a rename: it fails when somebody else took the place.
      await this.#parent.link(from, this.#name);
    } catch (error) {
      if (errorCode(error) === "EEXIST") throw this.#stale(error);
      if (!lacksHardLinks(error)) throw error;
      if (this.#parent.inspect(this.#name) !== undefined) throw this.#stale(error);
      await this.#parent.rename(from, this.#name);
      return;
    }
    await this.#remove(from);
  }

  async #backUp(original: BigIntStats): Promise<void> {
    try {
      await this.#parent.link(this.#name, this.#backup);
    } catch (error) {
      if (errorCode(error) === "ENOENT") throw this.#stale(error);
      if (!lacksHardLinks(error)) throw error;
      await this.#parent.rename(this.#name, this.#backup);
    }
    this.#state = "backed-up";
    if (!(await this.#isUnchanged(original))) throw this.#stale();
  }

  async #restore(): Promise<void> {
    const place = this.#parent.inspect(this.#name);
    const backup = this.#parent.inspect(this.#backup);
    if (backup === undefined) throw new Error("the original's copy has disappeared");
    if (place === undefined) return await this.#putInEmptyPlace(this.#backup);
    if (identityOf(place) === identityOf(backup)) return await this.#remove(this.#backup);
    // Only our own new content is overwritten; what somebody else put there stays, and so does the copy.
    if (identityOf(place) !== this.#temporaryIdentity)
      throw new Error(`the original is kept beside it as ${this.#backup}`);
    return await this.#parent.rename(this.#backup, this.#name);
  }

  async #isUnchanged(original: BigIntStats): Promise<boolean> {
    const now = this.#parent.inspect(this.#backup);
    if (now === undefined) return false;
    return identityOf(now) === identityOf(original) && now.mtimeNs === original.mtimeNs && now.size === original.size;
  }

  async #isOurs(name: string): Promise<boolean> {
    const stats = this.#parent.inspect(name);
    return stats !== undefined && identityOf(stats) === this.#temporaryIdentity;
  }

  async #remove(name: string): Promise<void> {
    try {
      await this.#parent.unlink(name);
    } catch {
      // Not there, or no longer ours to remove.
    }
  }

  #stale(cause?: unknown): ToolRefusal {
    const about = this.#edit.before === null ? "exists now, though it did not before" : "changed since it was read";
    const text = `${quotedPath(this.shown)} ${about}. Read it again, then repeat the change.`;
    return new ToolRefusal("rejected", "file.stale", text, cause === undefined ? {} : { cause });
  }
}

async function copyOwnerAndMode(file: FileHandle, original: BigIntStats): Promise<void> {
  const { uid, gid } = await file.stat({ bigint: true });
  if (uid !== original.uid || gid !== original.gid) {
    // Only root may give files away; for others the new file is simply theirs.
    await file.chown(Number(original.uid), Number(original.gid)).catch(() => undefined);
  }
  await file.chmod(Number(original.mode & 0o7777n));
}

function lacksHardLinks(error: unknown): boolean {
  return ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"].includes(errorCode(error) ?? "");
}
