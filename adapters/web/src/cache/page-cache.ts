import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { constants } from "node:fs";
import { join } from "node:path";
import type { PageText } from "../extract/page-text.ts";
import { maxCacheBytes, maxCachedPageBytes, maxCachedPages, pageLifeMs } from "../limits.ts";

/** A page as it is kept. */
export interface KeptPage {
  readonly finalUrl: string;
  /** ms since 1970. */
  readonly fetchedAt: number;
  readonly text: PageText;
  readonly isFallback: boolean;
}

interface KeptFile {
  readonly version: number;
  readonly url: string;
  readonly page: KeptPage;
}

const version = 2;

/** Pages as they were, a file each, for a week; those that were wanted longest ago leave first. */
export class PageCache {
  readonly #folder: string;
  readonly #now: () => number;

  /** @param folder  absolute; ours alone */
  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  /** @returns `undefined` for a page that is not kept, is too old, or cannot be read */
  async read(url: string): Promise<KeptPage | undefined> {
    const path = this.#pathOf(url);
    let file: FileHandle | undefined;
    try {
      file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      const { size } = await file.stat();
      if (size > maxCachedPageBytes) return undefined;
      const kept = readKept(await file.readFile("utf8"));
      if (kept?.url !== url || this.#now() - kept.page.fetchedAt > pageLifeMs) return undefined;
      // It is wanted now; how old it is stands in it.
      const now = new Date(this.#now());
      await file.utimes(now, now);
      return kept.page;
    } catch {
      return undefined;
    } finally {
      await file?.close();
    }
  }

  /** @returns whether it is kept */
  async write(url: string, page: KeptPage): Promise<boolean> {
    const path = this.#pathOf(url);
    const text = JSON.stringify({ version, url, page } satisfies KeptFile);
    if (Buffer.byteLength(text) > maxCachedPageBytes) return false;
    const temporary = `${path}.${randomBytes(8).toString("hex")}`;
    try {
      await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
      const file = await open(temporary, "wx", 0o600);
      try {
        await file.writeFile(text);
        const now = new Date(this.#now());
        await file.utimes(now, now);
      } finally {
        await file.close();
      }
      await rename(temporary, path);
      await this.#makeRoom();
      return true;
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
      return false;
    }
  }

  #pathOf(url: string): string {
    const name = createHash("sha256").update(`${url}\nhttp`).digest("hex");
    return join(this.#folder, name.slice(0, 2), `${name}.json`);
  }

  async #makeRoom(): Promise<void> {
    const names = await readdir(this.#folder, { recursive: true });
    const found = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        const entry = await stat(path).catch(() => undefined);
        return entry?.isFile() === true ? [{ path, bytes: entry.size, at: entry.mtimeMs }] : [];
      }),
    );
    let [pages, bytes] = [0, 0];
    for (const file of found.flat().toSorted((a, b) => b.at - a.at)) {
      pages += 1;
      bytes += file.bytes;
      if (pages > maxCachedPages || bytes > maxCacheBytes) await rm(file.path, { force: true });
    }
  }
}

function readKept(text: string): KeptFile | undefined {
  const read: KeptFile = JSON.parse(text);
  return read.version === version && Array.isArray(read.page.text.blocks) ? read : undefined;
}
