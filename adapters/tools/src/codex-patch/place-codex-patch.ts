import { basename, dirname, join } from "node:path";
import { ToolRefusal, type Workspace } from "@capstan/protocol";
import { quotedPath } from "../paths/path-syntax.ts";
import type { ResolvedPath, WorkspacePaths } from "../paths/workspace-paths.ts";
import type { PlacedCodexSection } from "./codex-files.ts";
import type { CodexSection } from "./codex-patch.ts";

/**
 * Finds the places that the paths of a patch lead to.
 * @throws {ToolRefusal} `path.*`; a link is written through, but neither deleted nor moved: the file behind it would be
 */
export async function placeCodexPatch(
  sections: readonly CodexSection[],
  workspace: Workspace,
  paths: WorkspacePaths,
): Promise<readonly PlacedCodexSection[]> {
  const placed: PlacedCodexSection[] = [];
  for (const section of sections) {
    const resolved = await fileAt(section.path, section.line, workspace, paths);
    const goes = section.type === "delete" || (section.type === "update" && section.moveTo !== null);
    if (goes) await refuseLink(section, resolved, workspace, paths);
    const moveTo = section.type === "update" ? section.moveTo : null;
    const target = moveTo === null ? null : await fileAt(moveTo, section.line, workspace, paths);
    placed.push({ section, resolved, target: target?.real === resolved.real ? null : target });
  }
  return placed;
}

async function fileAt(path: string, line: number, workspace: Workspace, paths: WorkspacePaths): Promise<ResolvedPath> {
  const resolved = await paths.resolve(workspace, path, "write");
  if (resolved.kind !== "directory") return resolved;
  const problem = `Patch line ${line}: ${quotedPath(resolved.shown)} is a directory. No file was changed. Name a file.`;
  throw new ToolRefusal("rejected", "path.not-a-file", problem);
}

async function refuseLink(
  { path, line }: CodexSection,
  resolved: ResolvedPath,
  workspace: Workspace,
  paths: WorkspacePaths,
): Promise<void> {
  if (resolved.kind === "missing") return;
  const parent = await paths.resolve(workspace, dirname(path), "read");
  if (join(parent.real, basename(path)) === resolved.real) return;
  const problem = `Patch line ${line}: ${quotedPath(path)} is a link to ${quotedPath(resolved.shown)}. No file was changed. Name the file, or remove the link with a command.`;
  throw new ToolRefusal("rejected", "path.not-a-file", problem);
}
