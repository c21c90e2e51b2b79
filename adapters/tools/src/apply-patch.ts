import type { Staged, ToolContext } from "@capstan/ports";
import {
  type Action,
  type ActionDraft,
  type JsonObject,
  type PathUse,
  ToolRefusal,
  type Workspace,
} from "@capstan/protocol";
import { pathUse } from "./files/action-path.ts";
import { failedResult } from "./files/failed-result.ts";
import { maxSummaryLength } from "./files/limits.ts";
import { probeFiles } from "./files/probe/probe-files.ts";
import { commitStaged, stageFiles } from "./files/staged-files.ts";
import { withinTime } from "./files/within-time.ts";
import { parsePatch } from "./lp1/parse-patch.ts";
import { computePatchedFiles, type PatchedFile, type PlacedSection } from "./lp1/patched-files.ts";
import { shortDiff } from "./lp1/short-diff.ts";
import type { ToolsOptions } from "./options.ts";
import { inertText } from "./paths/inert-text.ts";
import { quotedPath } from "./paths/path-syntax.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";
import type { ToolCode } from "./tool-entry.ts";

/** The tool that applies LP1 patches: parsed and resolved in `prepare`, worked out in `stage`, committed all or nothing in `run`. */
export function createApplyPatchTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  const place = async (args: JsonObject, workspace: Workspace): Promise<readonly PlacedSection[]> =>
    await placeSections(patchText(args, options.limits.patchBytes), workspace, paths);
  const stage = async (action: Action, context: ToolContext): Promise<Staged> =>
    await withinTime(options.timeouts.fileMs, context.signal, async (signal) => {
      const sections = await place(action.arguments, context.workspace);
      checkSamePlaces(action, sections);
      const knownFile = (realPath: string): string | undefined => context.knownFile(realPath);
      const files = await computePatchedFiles(sections, { knownFile, signal });
      return stageFiles(files, report(files));
    });
  return {
    prepare: async (args, context) => draftAction(args, await place(args, context.workspace)),
    stage,
    run: async (action, staged, context) => {
      try {
        return await commitStaged(staged ?? (await stage(action, context)), context.signal);
      } catch (error) {
        return failedResult(error);
      }
    },
    probe: async (_action, settle, context) => await probeFiles(settle, context, { paths, timeouts: options.timeouts }),
  };
}

function patchText(args: JsonObject, limitBytes: number): string {
  const text = args["patch"];
  if (typeof text !== "string") throw new ToolRefusal("rejected", "tool.bad-arguments", "`patch` must be a text.");
  const bytes = Buffer.byteLength(text);
  if (bytes <= limitBytes) return text;
  const problem = `Patch exceeds max_patch_bytes: ${bytes} > ${limitBytes} bytes. Send several smaller patches.`;
  throw new ToolRefusal("rejected", "tool.arguments-too-large", problem);
}

async function placeSections(
  text: string,
  workspace: Workspace,
  paths: WorkspacePaths,
): Promise<readonly PlacedSection[]> {
  const placed: PlacedSection[] = [];
  for (const section of parsePatch(text).sections) {
    const resolved = await paths.resolve(workspace, section.path, "write");
    if (resolved.kind === "directory") {
      const problem = `Patch line ${section.line}: ${quotedPath(resolved.shown)} is a directory. Name a file. No file was changed.`;
      throw new ToolRefusal("rejected", "path.not-a-file", problem);
    }
    placed.push({ section, resolved });
  }
  return placed;
}

function draftAction(args: JsonObject, sections: readonly PlacedSection[]): ActionDraft {
  const uses = new Map<string, PathUse>();
  for (const { resolved } of sections) uses.set(resolved.real, pathUse(resolved));
  const names = [...uses.values()].map(({ shown }) => shown);
  return {
    tool: "apply_patch",
    arguments: args,
    effect: "write",
    risk: "medium",
    paths: [...uses.values()],
    summary: inertText(names.length === 0 ? "patch no file" : `patch ${names.join(", ")}`, maxSummaryLength),
  };
}

/** What was judged is what is done: a path that leads elsewhere by now was judged as something else. */
function checkSamePlaces(action: Action, sections: readonly PlacedSection[]): void {
  const judged = new Set(action.paths.map(({ real }) => real));
  const moved = sections.find(({ resolved }) => !judged.has(resolved.real));
  if (moved === undefined) return;
  const problem = `${quotedPath(moved.section.path)} leads to another place than when the call was checked. Try again.`;
  throw new ToolRefusal("rejected", "file.stale", problem);
}

function report(files: readonly PatchedFile[]): string {
  if (files.length === 0) return "No changes applied.";
  const lines = files.map(({ resolved, before, mixedEol }) => {
    const note = mixedEol ? " (its mixed line ends are uniform now)" : "";
    return `${before === null ? "created" : "modified"}: ${resolved.shown}${note}`;
  });
  return `${lines.join("\n")}\n\n${shortDiff(files)}`;
}
