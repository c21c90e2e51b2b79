import type { Staged, ToolContext } from "@capstan/ports";
import { type Action, type ActionDraft, type JsonObject, ToolRefusal, unreachable } from "@capstan/protocol";
import { pathUse, resolveActionPath, summaryLine } from "./files/action-path.ts";
import { readSeenFile, textOf } from "./files/current-file.ts";
import { explainMismatch } from "./files/explain-mismatch.ts";
import { maxListedMatches } from "./files/limits.ts";
import { plural } from "./files/plural.ts";
import { probeFiles } from "./files/probe/probe-files.ts";
import { replaceText } from "./files/replace-text.ts";
import { commitStaged, stageFiles } from "./files/staged-files.ts";
import { type EditRequest, editRequest, type OneEdit } from "./files/edit-request.ts";
import { encodeText, splitLines, type TextContent } from "./files/text-content.ts";
import { withinTime } from "./files/within-time.ts";
import type { ToolsOptions } from "./options.ts";
import { quotedPath } from "./paths/path-syntax.ts";
import type { ResolvedPath, WorkspacePaths } from "./paths/workspace-paths.ts";
import type { ToolCode } from "./tool-entry.ts";

/** Replaces an exact text of a file the model has seen. */
export function createEditFileTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  const stage = async (action: Action, context: ToolContext): Promise<Staged> =>
    await withinTime(options.timeouts.fileMs, context.signal, async (signal) => {
      return await stageEdit(options, paths, action, { ...context, signal });
    });
  return {
    prepare: async (args, context) => await prepareEdit(paths, args, context),
    stage,
    run: async (action, staged, context) =>
      await commitStaged(staged ?? (await stage(action, context)), context.signal),
    probe: async (_action, settle, context) => await probeFiles(settle, context, { paths, timeouts: options.timeouts }),
  };
}

async function prepareEdit(paths: WorkspacePaths, args: JsonObject, context: ToolContext): Promise<ActionDraft> {
  const request = editRequest(args);
  const resolved = await paths.resolve(context.workspace, request.path, "write");
  if (resolved.kind === "directory") {
    throw new ToolRefusal(
      "rejected",
      "path.not-a-file",
      `${quotedPath(request.path)} is a directory. Name a file in it.`,
    );
  }
  if (resolved.kind === "missing" && request.edits[0]?.oldText !== "") {
    // Resolved for reading, the refusal names similar files.
    await paths.resolve(context.workspace, request.path, "read");
  }
  const [verb, about] = describeEdit(resolved, request);
  return {
    tool: "edit_file",
    arguments: "edits" in args ? args : { ...args, replace_all: request.edits[0]?.all === true },
    effect: "write",
    risk: "medium",
    paths: [pathUse(resolved)],
    summary: summaryLine(verb, resolved, request.path, about),
  };
}

function describeEdit({ kind }: ResolvedPath, { edits }: EditRequest): readonly [string, string] {
  const after = edits.reduce((sum, { newText }) => sum + splitLines(newText).length, 0);
  if (kind === "missing") return ["Create", ` (${plural(after, "line")})`];
  const every = edits.some(({ all }) => all) ? ", everywhere" : "";
  const before = edits.reduce((sum, { oldText }) => sum + splitLines(oldText).length, 0);
  const several = edits.length === 1 ? "" : `${edits.length} edits: `;
  return ["Edit", ` (${several}${plural(before, "line")} ${before === 1 ? "becomes" : "become"} ${after}${every})`];
}

async function stageEdit(
  { limits }: ToolsOptions,
  paths: WorkspacePaths,
  action: Action,
  context: ToolContext,
): Promise<Staged> {
  const request = editRequest(action.arguments);
  const resolved = await resolveActionPath(paths, context, action, request.path);
  const limitBytes = Math.max(limits.writeBytes, limits.scanBytes);
  if (resolved.kind === "missing") return stageCreation(resolved, request, limitBytes);
  const { content } = await readSeenFile(resolved, context, limitBytes);
  const current = textOf(content, resolved.shown);
  const { text, count } = applyEdits(current, request, resolved, limitBytes);
  const after = encodeText({ ...current, text });
  if (after.length > limitBytes) throw tooLarge(resolved, limitBytes);
  return stageFiles(
    [{ resolved, before: content, after }],
    `Edited ${resolved.shown}, ${plural(count, "replacement")}.`,
  );
}

function stageCreation(resolved: ResolvedPath, request: EditRequest, limitBytes: number): Staged {
  if (request.edits[0]?.oldText !== "") {
    throw new ToolRefusal("rejected", "path.not-found", `${quotedPath(resolved.shown)} does not exist.`);
  }
  const { text } = applyEdits({ text: "", byteOrderMark: false }, request, resolved, limitBytes);
  const after = Buffer.from(text);
  if (after.length > limitBytes) throw tooLarge(resolved, limitBytes);
  const done = `Created ${resolved.shown} (${plural(splitLines(text).length, "line")}).`;
  return stageFiles([{ resolved, before: null, after }], done);
}

/** All of them or none: what does not fit is reported with its number. */
function applyEdits(
  current: TextContent,
  { edits }: EditRequest,
  resolved: ResolvedPath,
  limitLength: number,
): { readonly text: string; readonly count: number } {
  let result = { text: current.text, count: 0 };
  for (const [index, edit] of edits.entries()) {
    try {
      const { text, count } = replaced({ ...current, text: result.text }, edit, resolved, limitLength);
      result = { text, count: result.count + count };
    } catch (error) {
      if (edits.length === 1 || !(error instanceof ToolRefusal)) throw error;
      const text = `Edit ${index + 1} of ${edits.length}: ${error.message} No edit was made.`;
      throw new ToolRefusal(error.kind, error.code, text, { cause: error });
    }
  }
  return result;
}

function replaced(
  current: TextContent,
  request: OneEdit,
  resolved: ResolvedPath,
  limitLength: number,
): { readonly text: string; readonly count: number } {
  const path = quotedPath(resolved.shown);
  const edit = withoutMark(request);
  if (edit.oldText === "") return fillEmpty(current, edit, path);
  const result = replaceText(current.text, { ...edit, limitLength, listedLines: maxListedMatches });
  switch (result.type) {
    case "replaced":
      if (request.expected !== undefined && request.expected !== result.count) {
        const text = `old_string occurs ${result.count} times in ${path}, not ${request.expected} times as expected.`;
        throw new ToolRefusal("rejected", "edit.not-unique", text);
      }
      return result;
    case "no-match": {
      const help = explainMismatch(current.text, request.oldText);
      throw new ToolRefusal("rejected", "edit.no-match", `old_string does not occur in ${path}. ${help}`);
    }
    case "not-unique": {
      const more = result.count > result.lines.length ? ", …" : "";
      const text = `old_string occurs ${result.count} times in ${path}, at lines ${result.lines.join(", ")}${more}.`;
      const advice = "Quote more of the lines around the one you mean, or set replace_all to change all of them.";
      throw new ToolRefusal("rejected", "edit.not-unique", `${text} ${advice}`);
    }
    case "too-long":
      throw tooLarge(resolved, limitLength);
    default:
      return unreachable(result);
  }
}

function fillEmpty(current: TextContent, { newText }: OneEdit, path: string): { text: string; count: number } {
  if (current.text === "") return { text: newText, count: 1 };
  const text = `old_string is empty, but ${path} has content. Quote the text to replace, or use write_file with overwrite.`;
  throw new ToolRefusal("rejected", "tool.bad-arguments", text);
}

/** The mark at a file's start is kept apart from its text, so it cannot be part of what is looked for. */
function withoutMark(edit: OneEdit): OneEdit {
  if (!edit.oldText.startsWith("\ufeff")) return edit;
  return { ...edit, oldText: edit.oldText.slice(1), newText: edit.newText.replace(/^\ufeff/, "") };
}

function tooLarge(resolved: ResolvedPath, limitBytes: number): ToolRefusal {
  const text = `${quotedPath(resolved.shown)} would have more than ${limitBytes} bytes after the edit.`;
  return new ToolRefusal("rejected", "file.too-large", text);
}
