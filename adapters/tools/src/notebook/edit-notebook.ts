import type { Staged, ToolContext } from "@capstan/ports";
import { type Action, type ActionDraft, type JsonObject, ToolRefusal } from "@capstan/protocol";
import { pathUse, resolveActionPath, summaryLine } from "../files/action-path.ts";
import { readSeenFile, textOf } from "../files/current-file.ts";
import { probeFiles } from "../files/probe/probe-files.ts";
import { commitStaged, stageFiles } from "../files/staged-files.ts";
import { encodeText } from "../files/text-content.ts";
import { withinTime } from "../files/within-time.ts";
import type { ToolsOptions } from "../options.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import type { ToolCode } from "../tool-entry.ts";
import { editCell } from "./edit-cell.ts";
import { notebookRequest } from "./notebook-request.ts";

/** `edit_notebook`: one cell of a notebook that the model has seen. */
export function createEditNotebookTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  const stage = async (action: Action, context: ToolContext): Promise<Staged> =>
    await withinTime(options.timeouts.fileMs, context.signal, async (signal) => {
      return await stageCell(options, paths, action, { ...context, signal });
    });
  return {
    prepare: async (args, context) => await prepareCell(paths, args, context),
    stage,
    run: async (action, staged, context) =>
      await commitStaged(staged ?? (await stage(action, context)), context.signal),
    probe: async (_action, settle, context) => await probeFiles(settle, context, { paths, timeouts: options.timeouts }),
  };
}

async function prepareCell(paths: WorkspacePaths, args: JsonObject, context: ToolContext): Promise<ActionDraft> {
  const { path, mode, cellId } = notebookRequest(args);
  // Resolved for reading, the refusal of a missing file names similar ones.
  await paths.resolve(context.workspace, path, "read", context);
  const resolved = await paths.resolve(context.workspace, path, "write");
  if (resolved.kind === "directory") {
    const text = `${quotedPath(path)} is a directory. Name a notebook in it.`;
    throw new ToolRefusal("rejected", "path.not-a-file", text);
  }
  const where = mode === "insert" ? (cellId === undefined ? "first" : `behind ${cellId}`) : (cellId ?? "");
  return {
    tool: "edit_notebook",
    arguments: { ...args, edit_mode: mode },
    effect: "write",
    risk: "medium",
    paths: [pathUse(resolved)],
    summary: summaryLine("Edit", resolved, path, ` (${mode} cell: ${where})`),
  };
}

async function stageCell(
  { limits }: ToolsOptions,
  paths: WorkspacePaths,
  action: Action,
  context: ToolContext,
): Promise<Staged> {
  const request = notebookRequest(action.arguments);
  const resolved = await resolveActionPath(paths, context, action, request.path);
  const limitBytes = Math.max(limits.writeBytes, limits.scanBytes);
  const { content } = await readSeenFile(resolved, context, limitBytes);
  const current = textOf(content, resolved.shown);
  const { text, done } = editCell(current.text, request, resolved.shown);
  const after = encodeText({ ...current, text });
  if (after.length > limitBytes) {
    const problem = `${quotedPath(resolved.shown)} would have more than ${limitBytes} bytes after the edit.`;
    throw new ToolRefusal("rejected", "file.too-large", problem);
  }
  return stageFiles([{ resolved, before: content, after }], done);
}
