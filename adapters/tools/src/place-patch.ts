import type { ToolContext } from "@capstan/ports";
import { messageOf, ToolRefusal, type Workspace } from "@capstan/protocol";
import { computeCodexFiles } from "./codex-patch/codex-files.ts";
import { isCodexPatch, parseCodexPatch } from "./codex-patch/parse-codex-patch.ts";
import { placeCodexPatch } from "./codex-patch/place-codex-patch.ts";
import type { PlannedFile } from "./files/staged-files.ts";
import { parsePatch } from "./lp1/parse-patch.ts";
import { computePatchedFiles, type PatchedFile, type PlacedSection } from "./lp1/patched-files.ts";
import { shortDiff } from "./lp1/short-diff.ts";
import { quotedPath } from "./paths/path-syntax.ts";
import type { ResolvedPath, WorkspacePaths } from "./paths/workspace-paths.ts";

/** A patch that was read, in whichever form it is written, with the places it speaks of. */
export interface PlacedPatch {
  readonly places: readonly { readonly path: string; readonly resolved: ResolvedPath }[];
  /** Works out what it makes of its files; writes nothing. `report` is for the model. */
  compute(context: Pick<ToolContext, "knownFile" | "signal">): Promise<{
    readonly files: readonly PlannedFile[];
    readonly report: string;
  }>;
}

/** @throws {ToolRefusal} `patch.syntax`; `path.*` */
export async function placePatch(text: string, workspace: Workspace, paths: WorkspacePaths): Promise<PlacedPatch> {
  return isCodexPatch(text) ? await placeCodex(text, workspace, paths) : await placeLp1(text, workspace, paths);
}

async function placeCodex(text: string, workspace: Workspace, paths: WorkspacePaths): Promise<PlacedPatch> {
  const sections = await placeCodexPatch(parseCodexPatch(text), workspace, paths);
  const places = sections.flatMap(({ section, resolved, target }) => [
    { path: section.path, resolved },
    ...(target === null ? [] : [{ path: target.shown, resolved: target }]),
  ]);
  const missing = async (path: string): Promise<ToolRefusal> => await refusalOf(path, workspace, paths);
  return {
    places,
    compute: async (context) => {
      const { files, report } = await computeCodexFiles(sections, context, missing);
      return { files, report: `${report}\n\n${shortDiff(files)}`.trimEnd() };
    },
  };
}

/** Resolved for reading, a path that leads nowhere is refused with the names of similar files. */
async function refusalOf(path: string, workspace: Workspace, paths: WorkspacePaths): Promise<ToolRefusal> {
  try {
    await paths.resolve(workspace, path, "read");
  } catch (error) {
    const text = `${messageOf(error)} No file was changed.`;
    return new ToolRefusal("rejected", error instanceof ToolRefusal ? error.code : "path.not-found", text);
  }
  // An earlier section of the patch deleted it.
  const text = `${quotedPath(path)} is deleted by the same patch. No file was changed.`;
  return new ToolRefusal("rejected", "patch.failed", text);
}

async function placeLp1(text: string, workspace: Workspace, paths: WorkspacePaths): Promise<PlacedPatch> {
  const placed: PlacedSection[] = [];
  for (const section of parsePatch(text).sections) {
    const resolved = await paths.resolve(workspace, section.path, "write");
    if (resolved.kind === "directory") {
      const problem = `Patch line ${section.line}: ${quotedPath(resolved.shown)} is a directory. Name a file. No file was changed.`;
      throw new ToolRefusal("rejected", "path.not-a-file", problem);
    }
    placed.push({ section, resolved });
  }
  return {
    places: placed.map(({ section, resolved }) => ({ path: section.path, resolved })),
    compute: async (context) => {
      const files = await computePatchedFiles(placed, context);
      return { files, report: lp1Report(files) };
    },
  };
}

function lp1Report(files: readonly PatchedFile[]): string {
  if (files.length === 0) return "No changes applied.";
  const lines = files.map(({ resolved, before, mixedEol }) => {
    const note = mixedEol ? " (its mixed line ends are uniform now)" : "";
    return `${before === null ? "created" : "modified"}: ${resolved.shown}${note}`;
  });
  return `${lines.join("\n")}\n\n${shortDiff(files)}`;
}
