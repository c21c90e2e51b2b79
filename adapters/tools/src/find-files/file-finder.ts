import { join } from "node:path";
import { AppError, type FoundFiles, type Workspace } from "@capstan/protocol";
import type { FileFinderOptions } from "../options.ts";
import { WorkspacePaths } from "../paths/workspace-paths.ts";
import { RipgrepFinder } from "../search/ripgrep/find-ripgrep.ts";
import { listingAgeMs, maxSoughtCharacters } from "./limits.ts";
import { type Listing, listFiles } from "./list-files.ts";
import { rankPaths } from "./rank-paths.ts";

interface Listed {
  readonly cwd: string;
  readonly at: number;
  readonly listing: Promise<Listing>;
}

/**
 * Finds files of a workspace by some letters of their paths. Names only: what is ignored, and what a deny pattern covers, is left out, and
 * no file is opened.
 */
export class FileFinder {
  readonly #paths: WorkspacePaths;
  readonly #ripgrep: RipgrepFinder;
  readonly #elapsed: () => number;
  /** The last one, for the next letter. */
  #listed: Listed | undefined;

  constructor(options: FileFinderOptions) {
    this.#elapsed = () => options.elapsed();
    this.#paths = new WorkspacePaths({ ...options, allowAbsolute: true });
    this.#ripgrep = new RipgrepFinder(options.searchPath);
  }

  /**
   * @param limit  of the paths that come back; the best come first
   * @throws AppError `storage.unavailable` where files cannot be listed
   */
  async find(workspace: Workspace, text: string, limit: number): Promise<FoundFiles> {
    const { paths, isPartial } = await this.#list(workspace);
    const found: string[] = [];
    for (const path of rankPaths(paths, text.slice(0, maxSoughtCharacters))) {
      if (found.length >= limit) break;
      if (!this.#paths.isDenied(workspace, join(workspace.cwd, path))) found.push(path);
    }
    return { paths: found, isPartial };
  }

  async #list({ cwd, roots }: Workspace): Promise<Listing> {
    const known = this.#listed;
    const now = this.#elapsed();
    if (known?.cwd === cwd && now - known.at < listingAgeMs) return await known.listing;
    const program = await this.#ripgrep.find(roots);
    if (program === undefined) {
      throw new AppError("storage.unavailable", "files cannot be listed: there is no ripgrep for this platform", {
        hint: "Install ripgrep 13 or later, so that `rg` is found on the search path.",
      });
    }
    const listing = listFiles(program, cwd);
    this.#listed = { cwd, at: now, listing };
    listing.catch(() => {
      this.#listed = undefined;
    });
    return await listing;
  }
}
