import type { ToolContext } from "@capstan/ports";
import { ToolRefusal } from "@capstan/protocol";
import { maxHashBytes } from "../files/limits.ts";
import { sha256 } from "../files/sha256.ts";
import type { PlannedFile } from "../files/staged-files.ts";
import { patchLimits } from "../lp1/limits.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import { readAtMost, withPinnedFile } from "../paths/pinned-file.ts";
import type { ResolvedPath } from "../paths/workspace-paths.ts";

/** A file as a patch found it, and as its sections so far leave it. `null`: there is none. */
export interface Draft {
  readonly resolved: ResolvedPath;
  readonly before: Buffer | null;
  readonly now: Buffer | null;
  /** Permission bits: of the file that was found, or of the one that moves here. */
  readonly mode?: number;
}

/** The files of one patch as its sections see them, each section after those before it. Nothing is written. */
export class DraftFiles {
  readonly #context: Pick<ToolContext, "knownFile" | "signal">;
  readonly #drafts = new Map<string, Draft>();
  #totalBytes = 0;

  constructor(context: Pick<ToolContext, "knownFile" | "signal">) {
    this.#context = context;
  }

  async open(resolved: ResolvedPath): Promise<Draft> {
    const known = this.#drafts.get(resolved.real);
    if (known !== undefined) return known;
    const draft = await readDraft(resolved);
    this.#totalBytes += draft.before?.length ?? 0;
    if (this.#totalBytes > patchLimits.maxTotalBytes) {
      const problem = `All files of the patch together are larger than ${patchLimits.maxTotalBytes} bytes. No file was changed. Send several patches.`;
      throw new ToolRefusal("rejected", "file.too-large", problem);
    }
    this.#drafts.set(resolved.real, draft);
    return draft;
  }

  write(draft: Draft, content: Buffer | null): void {
    this.#drafts.set(draft.resolved.real, { ...draft, now: content });
  }

  /** The file keeps its permission bits where it goes to a place that is free. */
  async move(draft: Draft, target: ResolvedPath, content: Buffer, line: number): Promise<void> {
    const place = await this.open(target);
    this.checkUnchanged(place, line);
    this.write(draft, null);
    const mode = place.mode ?? draft.mode;
    this.write(mode === undefined ? place : { ...place, mode }, content);
  }

  /** What is about to go as a whole must be what the model saw, if it saw it. */
  checkUnchanged({ resolved, before, now }: Draft, line: number): void {
    const seen = this.#context.knownFile(resolved.real);
    if (before === null || now !== before || seen === undefined || seen === sha256(before)) return;
    const problem = `File content changed since last read: ${quotedPath(resolved.shown)}`;
    const text = `Patch line ${line}: ${problem}. No file was changed. Read it again, then patch.`;
    throw new ToolRefusal("rejected", "file.stale", text);
  }

  /** In the order in which they were first named; a file that is neither there before nor after is none. */
  planned(): readonly PlannedFile[] {
    return [...this.#drafts.values()].flatMap(({ resolved, before, now, mode }) =>
      before === now
        ? []
        : [{ resolved, before, after: now, ...(before === null && mode !== undefined ? { mode } : {}) }],
    );
  }
}

async function readDraft(resolved: ResolvedPath): Promise<Draft> {
  if (resolved.kind === "missing") return { resolved, before: null, now: null };
  const { staged } = resolved;
  if (staged !== undefined) return { resolved, before: staged, now: staged };
  return await withPinnedFile(resolved, async (file, stats) => {
    const before = await readAtMost(file, maxHashBytes + 1);
    if (before.length > maxHashBytes) {
      const text = `${quotedPath(resolved.shown)} is larger than ${maxHashBytes} bytes. No file was changed.`;
      throw new ToolRefusal("rejected", "file.too-large", text);
    }
    return { resolved, before, now: before, mode: Number(stats.mode & 0o777n) };
  });
}
