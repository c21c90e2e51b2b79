import type { ContextSource, FilePack, PackedFile, PackFiles, PackLimits, RefusedFile } from "@capstan/ports";
import { basename } from "node:path";
import { type ContextPart, messageOf, type Workspace } from "@capstan/protocol";
import { renderTemplate, type TemplatePlace } from "./render-template.ts";

/** Files that a user wants shown, with words of their own before them. */
export interface NamedPack extends FilePack {
  /** Of `[bundles.NAME]`; `null`: those of `context.include`. */
  readonly name: string | null;
  /** What the model reads before the files; empty: nothing. */
  readonly title: string;
}

export interface TokenLimit {
  readonly most: number;
  count(text: string): number;
}

interface Packs {
  readonly packs: readonly NamedPack[];
  readonly limits: PackLimits;
  /** Tokens of all files together, and how they are counted before a vendor has; `null`: only `limits` count. */
  readonly tokens: TokenLimit | null;
  readonly pack: PackFiles;
  /** Templates that are shown, by name. */
  readonly shownTemplates: readonly string[];
  readonly templates: Pick<TemplatePlace, "templates" | "home">;
}

/**
 * What a source says of a workspace, and the files that a user named to be shown. Each file is a part of its own, so that only one that has
 * changed is shown again; the packs share one budget, in their order. What is refused is a part, too, with its size and the reason.
 */
export function withPacks(source: ContextSource, packs: Packs): ContextSource {
  if (packs.shownTemplates.length === 0 && packs.packs.every(({ include }) => include.length === 0)) return source;
  return {
    async collect(workspace, signal, turn) {
      // Files that cannot be read keep no turn from its work: why stands in the journal.
      const packed = packedParts(workspace, packs, signal).catch((error: unknown) => [unread(error)]);
      const templates = templateParts(workspace, packs);
      return [...(await source.collect(workspace, signal, turn)), ...(await templates), ...(await packed)];
    },
  };
}

async function packedParts(
  workspace: Workspace,
  { packs, limits, tokens, pack }: Packs,
  signal: AbortSignal,
): Promise<readonly ContextPart[]> {
  const parts = new Map<string, ContextPart>();
  const budget = new TokenBudget(tokens);
  let left = limits;
  for (const named of packs) {
    const packed = await pack(workspace, named, left, signal);
    // A file that several packs name is shown once.
    const { files: fresh, refused: tooMany } = budget.take(
      packed.files.filter(({ path }) => !parts.has(`file ${path}`)),
    );
    const refused = [...packed.refused, ...tooMany];
    const [first] = fresh;
    if (named.title !== "" && first !== undefined)
      parts.set(`bundle ${named.name ?? ""}`, { name: `bundle ${named.name ?? ""}`, text: named.title });
    for (const { path, text } of fresh) parts.set(`file ${path}`, { name: `file ${path}`, text: shown(path, text) });
    for (const { path, bytes, reason } of refused)
      if (!parts.has(`file ${path}`))
        parts.set(`file ${path}`, { name: `file ${path}`, text: "", refused: { bytes, reason } });
    const bytes = fresh.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    left = { files: left.files - fresh.length, bytes: Math.max(0, left.bytes - bytes) };
  }
  return [...parts.values()];
}

/** What may still be shown, in tokens: a file that has no room is left out, and a smaller one after it may fit. */
class TokenBudget {
  readonly #limit: TokenLimit | null;
  #used = 0;

  constructor(limit: TokenLimit | null) {
    this.#limit = limit;
  }

  take(files: readonly PackedFile[]): {
    readonly files: readonly PackedFile[];
    readonly refused: readonly RefusedFile[];
  } {
    if (this.#limit === null) return { files, refused: [] };
    const { most } = this.#limit;
    const [kept, refused]: [PackedFile[], RefusedFile[]] = [[], []];
    for (const file of files) {
      const tokens = Math.ceil(this.#limit.count(file.text));
      const left = most - this.#used;
      if (tokens <= left) {
        this.#used += tokens;
        kept.push(file);
      } else {
        const reason = `about ${tokens} tokens, and ${left} of ${most} are left`;
        refused.push({ path: file.path, bytes: Buffer.byteLength(file.text), reason });
      }
    }
    return { files: kept, refused };
  }
}

function unread(error: unknown): ContextPart {
  return { name: "files", text: "", refused: { bytes: 0, reason: messageOf(error) } };
}

async function templateParts(
  { cwd }: Workspace,
  { shownTemplates, templates, limits }: Packs,
): Promise<readonly ContextPart[]> {
  const variables = { cwd, project: basename(cwd) };
  return await Promise.all(
    shownTemplates.map(async (each) => {
      const name = `template ${each}`;
      try {
        return { name, text: await renderTemplate(each, { ...templates, variables, limitBytes: limits.bytes }) };
      } catch (error) {
        return { name, text: "", refused: { bytes: 0, reason: messageOf(error) } };
      }
    }),
  );
}

/** A fence longer than any in the file, so that the file ends where it ends. */
function shown(path: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `The file ${JSON.stringify(path)}, as it is now:\n${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
