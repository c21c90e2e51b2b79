import type { Staged, ToolContext } from "@capstan/ports";
import { type Action, type ActionDraft, type JsonObject, type PathUse, ToolRefusal } from "@capstan/protocol";
import { pathUse } from "./files/action-path.ts";
import { failedResult } from "./files/failed-result.ts";
import { maxSummaryLength } from "./files/limits.ts";
import { probeFiles } from "./files/probe/probe-files.ts";
import { commitStaged, stageFiles } from "./files/staged-files.ts";
import { withinTime } from "./files/within-time.ts";
import type { ToolsOptions } from "./options.ts";
import { inertText } from "./paths/inert-text.ts";
import { quotedPath } from "./paths/path-syntax.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";
import { type PlacedPatch, placePatch } from "./place-patch.ts";
import type { ToolCode } from "./tool-entry.ts";

/** The tool that applies patches: parsed and resolved in `prepare`, worked out in `stage`, committed all or nothing in `run`. */
export function createApplyPatchTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  const place = async (args: JsonObject, context: ToolContext): Promise<PlacedPatch> =>
    await placePatch(patchText(args, options.limits.patchBytes), context.workspace, paths);
  const stage = async (action: Action, context: ToolContext): Promise<Staged> =>
    await withinTime(options.timeouts.fileMs, context.signal, async (signal) => {
      const patch = await place(action.arguments, context);
      checkSamePlaces(action, patch);
      const { files, report } = await patch.compute({ knownFile: (path) => context.knownFile(path), signal });
      return stageFiles(files, report);
    });
  return {
    prepare: async (args, context) => draftAction(args, await place(args, context)),
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

function draftAction(args: JsonObject, { places }: PlacedPatch): ActionDraft {
  const uses = new Map<string, PathUse>();
  for (const { resolved } of places) uses.set(resolved.real, pathUse(resolved));
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
function checkSamePlaces(action: Action, { places }: PlacedPatch): void {
  const judged = new Set(action.paths.map(({ real }) => real));
  const moved = places.find(({ resolved }) => !judged.has(resolved.real));
  if (moved === undefined) return;
  const problem = `${quotedPath(moved.path)} leads to another place than when the call was checked. Try again.`;
  throw new ToolRefusal("rejected", "file.stale", problem);
}
