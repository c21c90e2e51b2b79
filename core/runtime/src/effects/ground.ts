import type { Ground, Staged, StagedFile, ToolContext } from "@capstan/ports";

/** What the calls of a batch will have done to files, one laid over the other, before the next of them is prepared. */
export class StagedGround implements Ground {
  readonly #files = new Map<string, StagedFile>();
  /** SHA-256 of what the model then has seen, by real path. */
  readonly #seen = new Map<string, string>();

  lay({ files = [], settle }: Staged): void {
    for (const file of files) this.#files.set(file.path, file);
    for (const { path, after } of settle.files) if (after !== null) this.#seen.set(path, after);
  }

  file(realPath: string): StagedFile | undefined {
    return this.#files.get(realPath);
  }

  isDirectory(realPath: string): boolean {
    return [...this.#files.values()].some(({ path, content }) => content !== null && path.startsWith(`${realPath}/`));
  }

  /** What a tool may know once all of it is done. */
  over(context: ToolContext): ToolContext {
    if (this.#files.size === 0) return context;
    return { ...context, ground: this, knownFile: (path) => this.#seen.get(path) ?? context.knownFile(path) };
  }
}
