import { join } from "node:path";
import { compileGlob } from "@capstan/patterns";
import type { FilePack, PackedFile, PackFiles, PackLimits, RefusedFile } from "@capstan/ports";
import type { Workspace } from "@capstan/protocol";
import { decodeText, guessBinaryKind } from "../files/text-content.ts";
import { gitignoreWalk, type WalkEntry } from "../gitignore-walk.ts";
import { workspaceReader } from "../paths/read-workspace-file.ts";
import { maxRefusedShown, packWalkMs } from "./limits.ts";

/**
 * Reads the files that a pack names, in the order of their paths: what git ignores and what a deny pattern covers is left out, and a file
 * that has no room or is no text is refused with its size and the reason; a smaller one after it may still fit.
 * @throws {AppError} `config.invalid` for a deny pattern that cannot be read; the signal's reason
 */
// oxlint-disable-next-line max-params -- as the port has them
export async function packFiles(
  { workspace, deniedPatterns }: { readonly workspace: Workspace; readonly deniedPatterns: readonly string[] },
  pack: FilePack,
  { files: mostFiles, bytes: mostBytes }: PackLimits,
  signal: AbortSignal,
): ReturnType<PackFiles> {
  const read = workspaceReader(workspace, deniedPatterns);
  const isWanted = wantedBy(pack);
  const files: PackedFile[] = [];
  const refused: RefusedFile[] = [];
  let left = mostBytes;
  const refuse = (path: string, bytes: number, reason: string): void => {
    if (refused.length < maxRefusedShown) refused.push({ path, bytes, reason });
  };
  const take = async (entry: WalkEntry): Promise<"continue" | "stop"> => {
    if (entry.type !== "file" || !isWanted(entry.path)) return "continue";
    const bytes = sizeOf(entry);
    if (files.length >= mostFiles) refuse(entry.path, bytes, `there is room for ${mostFiles} files`);
    else if (bytes > left) refuse(entry.path, bytes, `${left} of ${mostBytes} bytes are left`);
    else {
      const content = await read(join(workspace.cwd, entry.path), left);
      const text = content === undefined ? undefined : decodeText(content)?.text;
      if (content === undefined) refuse(entry.path, bytes, "it is protected, gone, or grew meanwhile");
      else if (text === undefined) refuse(entry.path, bytes, `it is no text: ${guessBinaryKind(content)}`);
      else {
        files.push({ path: entry.path, text });
        left -= content.length;
      }
    }
    return "continue";
  };
  const { cwd } = workspace;
  const root = workspace.roots.find((each) => cwd === each || cwd.startsWith(`${each}/`)) ?? cwd;
  const stop = await gitignoreWalk({ start: cwd, root, hidden: true, signal, timeoutMs: packWalkMs }, take);
  if (stop !== undefined)
    refuse("", 0, stop === "time" ? "looking for files took too long" : "there are too many files");
  return { files, refused };
}

/** A pattern that cannot be read matches nothing. */
function compiled(patterns: readonly string[]): readonly ((path: string) => boolean)[] {
  return patterns.flatMap((pattern) => {
    const glob = compileGlob(pattern, { dot: true });
    return "problem" in glob ? [] : [glob.matches];
  });
}

function wantedBy({ include, exclude }: FilePack): (path: string) => boolean {
  const [wanted, unwanted] = [compiled(include), compiled(exclude)];
  return (path) => wanted.some((matches) => matches(path)) && !unwanted.some((matches) => matches(path));
}

function sizeOf(entry: WalkEntry): number {
  const file = entry.open();
  if (file === undefined) return 0;
  try {
    return Number(file.stats().size);
  } finally {
    file.close();
  }
}
