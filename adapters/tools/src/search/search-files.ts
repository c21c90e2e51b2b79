import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { ToolRefusal, unreachable } from "@capstan/protocol";
import { gitignoreWalk, type WalkEntry, type WalkStop } from "../gitignore-walk.ts";
import type { ProtectedLinks } from "../paths/hard-links.ts";
import type { OpenFile } from "../paths/open-file.ts";
import { withPinnedFile } from "../paths/pinned-file.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import type { MatchCollection } from "./collect-matches.ts";
import type { FileFilter } from "./file-filter.ts";
import { FollowedLinks, type LinkTarget } from "./followed-links.ts";
import { searchNearly } from "./nearly/search-nearly.ts";
import { maxBatchArgumentBytes, maxBatchFiles, maxNamedFileBytes, maxSearchFileBytes } from "./limits.ts";
import { type BatchEnd, type CandidateFile, runRipgrep } from "./ripgrep/run-ripgrep.ts";
import type { SearchQuery } from "./search-request.ts";
import { SkippedFiles } from "./skipped-files.ts";

export interface FilesRequest {
  readonly program: string;
  readonly query: SearchQuery;
  readonly start: ResolvedPath;
  readonly filter: FileFilter;
  readonly links: ProtectedLinks;
  readonly hidden: boolean;
  readonly noIgnore: boolean;
  readonly follow: boolean;
  readonly maxFiles: number | undefined;
  readonly maxFileBytes: number | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** `skipped`: files that were chosen and not searched. */
export type SearchEnd =
  | { readonly type: "complete"; readonly skipped: SkippedFiles }
  | { readonly type: "incomplete"; readonly reason: "time" | "count" | "files"; readonly skipped: SkippedFiles }
  | { readonly type: "failed"; readonly message: string };

/**
 * Looks through the files below the start, or through the start itself. Which files is decided here: what is ignored, protected,
 * too large or another name of a protected file is left out before anything is counted. Ripgrep gets the open files.
 * @throws the signal's reason
 */
export async function searchFiles(request: FilesRequest, found: MatchCollection): Promise<SearchEnd> {
  const search = new FileSearch(request, found);
  return request.start.kind === "file" ? await search.named() : await search.tree();
}

/** Whether a program can be handed files by descriptor. Elsewhere it opens them by name again, which is weaker (decision 0007). */
const byDescriptor = process.platform === "linux" && existsSync("/proc/self/fd");

class FileSearch {
  readonly #request: FilesRequest;
  readonly #found: MatchCollection;
  readonly #skipped: SkippedFiles;
  readonly #endsAt: number;
  #batch: CandidateFile[] = [];
  #argumentBytes = 0;
  /** The batch that is being searched while the walk fills the next one. One at a time, so that files keep their order. */
  #running: Promise<void> = Promise.resolve();
  #batches = 0;
  #files = 0;
  readonly #links = new FollowedLinks();
  /** Why the search ended before its end. */
  #early: SearchEnd | undefined;

  constructor(request: FilesRequest, found: MatchCollection) {
    this.#request = request;
    this.#found = found;
    this.#skipped = new SkippedFiles(request.maxFileBytes);
    this.#endsAt = performance.now() + request.timeoutMs;
  }

  async named(): Promise<SearchEnd> {
    const { start } = this.#request;
    try {
      await withPinnedFile(start, async (file, stats) => {
        if (stats.size > (this.#request.maxFileBytes ?? maxNamedFileBytes)) this.#skipped.add("too-large", "");
        else await this.#searchBatch([{ path: "", real: start.real, file }]);
      });
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      this.#skipped.add("unreadable", "");
    }
    return await this.#end();
  }

  async tree(): Promise<SearchEnd> {
    const { start } = this.#request;
    try {
      let stop = await this.#walk({ directory: start.real, name: undefined });
      for (let next = this.#links.next(); next !== undefined && this.#early === undefined; next = this.#links.next())
        stop ??= await this.#walk(next);
      if (this.#early === undefined) await this.#flush();
      await this.#running;
      if (stop !== undefined) this.#early ??= { type: "incomplete", reason: stop, skipped: this.#skipped };
    } finally {
      // Files stay open as long as ripgrep may open them; why it failed is thrown above.
      await this.#running.catch(() => undefined);
      closeAll(this.#batch);
    }
    return await this.#end();
  }

  /** A directory, or one file of it; where a link led, its files have their own names. */
  async #walk({ directory, name }: LinkTarget): Promise<WalkStop | undefined> {
    const { filter, hidden, noIgnore, start, signal } = this.#request;
    const below = relative(start.real, directory);
    const named = (path: string): string => (below === "" ? path : join(below, path));
    return await gitignoreWalk(
      {
        start: directory,
        root: start.root,
        hidden: hidden || name !== undefined,
        ignoresNothing: noIgnore || name !== undefined,
        ...(name === undefined ? {} : { depth: 1 }),
        timeoutMs: Math.max(0, this.#endsAt - performance.now()),
        signal,
        skips: (path) => filter.skips(named(path)),
      },
      async (entry) => {
        if (name !== undefined && entry.path !== name) return "continue";
        return await this.#visit({ path: named(entry.path), type: entry.type, open: () => entry.open() });
      },
    );
  }

  async #visit(entry: WalkEntry): Promise<"continue" | "stop"> {
    if (entry.type === "link" && this.#request.follow) this.#links.add(entry.path, this.#request.start);
    if (entry.type !== "file" || !this.#request.filter.accepts(entry.path)) return "continue";
    if (this.#files === this.#request.maxFiles) {
      await this.#flush();
      await this.#running;
      this.#early ??= { type: "incomplete", reason: "files", skipped: this.#skipped };
      return "stop";
    }
    const file = entry.open();
    if (file === undefined) this.#skipped.add("unreadable", entry.path);
    else if (!(await this.#accept(entry.path, file))) file.close();
    if (this.#batch.length >= maxBatchFiles || this.#argumentBytes >= maxBatchArgumentBytes) await this.#flush();
    return this.#early === undefined ? "continue" : "stop";
  }

  /** @returns whether the file is kept open for the next batch */
  async #accept(path: string, file: OpenFile): Promise<boolean> {
    const { links, start } = this.#request;
    const stats = file.stats();
    if (!stats.isFile() || stats.size === 0n || (await links.include(stats))) return false;
    if (stats.size > (this.#request.maxFileBytes ?? maxSearchFileBytes)) {
      this.#skipped.add("too-large", path);
      return false;
    }
    const real = join(start.real, path);
    this.#files += 1;
    this.#batch.push({ path, real, file });
    this.#argumentBytes += Buffer.byteLength(real) + 1;
    return true;
  }

  /** Begins with the files gathered, as soon as those before them are done. */
  async #flush(): Promise<void> {
    const files = this.#batch;
    await this.#running;
    if (this.#early !== undefined || files.length === 0) return;
    this.#batch = [];
    this.#argumentBytes = 0;
    this.#running = this.#searchBatch(files).finally(() => closeAll(files));
    // Whoever awaits it next is notified; until then nobody is.
    this.#running.catch(() => undefined);
  }

  async #searchBatch(files: readonly CandidateFile[]): Promise<void> {
    const { program, query, signal } = this.#request;
    const timeoutMs = this.#endsAt - performance.now();
    this.#batches += 1;
    const request = { program, query, files, byDescriptor, timeoutMs, signal };
    const look = query.fuzzy > 0 ? searchNearly : runRipgrep;
    this.#note(
      await look(request, (path, { matches, isBinary }) => {
        if (!isBinary) return this.#found.take(path, matches);
        this.#skipped.add("binary", path);
        return "continue";
      }),
    );
  }

  #note(end: BatchEnd): void {
    const skipped = this.#skipped;
    switch (end.type) {
      case "complete":
        return;
      case "unreadable":
        return skipped.add("unreadable", undefined);
      case "stopped":
        this.#early = { type: "incomplete", reason: "count", skipped };
        return;
      case "timeout":
        this.#early = { type: "incomplete", reason: "time", skipped };
        return;
      case "bad-pattern":
        this.#early = { type: "failed", message: `The pattern is not valid.\n${end.message}` };
        return;
      case "failed":
        this.#early = { type: "failed", message: end.message };
        return;
      default:
        unreachable(end);
    }
  }

  async #end(): Promise<SearchEnd> {
    // Where there is nothing to search, a pattern that means nothing is still one.
    if (this.#batches === 0 && this.#early === undefined) await this.#searchBatch([]);
    return this.#early ?? { type: "complete", skipped: this.#skipped };
  }
}

function closeAll(files: readonly CandidateFile[]): void {
  for (const { file } of files) file.close();
}
