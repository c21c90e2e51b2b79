import type { Staged, ToolContext } from "@capstan/ports";
import { type Action, type ActionDraft, AppError, type JsonObject, ToolRefusal, unreachable } from "@capstan/protocol";
import { pathUse, resolveActionPath, summaryLine } from "./files/action-path.ts";
import { readSeenFile, textOf } from "./files/current-file.ts";
import { explainMismatch } from "./files/explain-mismatch.ts";
import { maxListedMatches } from "./files/limits.ts";
import { plural } from "./files/plural.ts";
import { probeFiles } from "./files/probe/probe-files.ts";
import { replaceText } from "./files/replace-text.ts";
import { commitStaged, stageFiles } from "./files/staged-files.ts";
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

interface EditRequest {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

async function prepareEdit(paths: WorkspacePaths, args: JsonObject, context: ToolContext): Promise<ActionDraft> {
  const request = editRequest(args);
  if (request.oldText === request.newText) {
    throw new ToolRefusal(
      "rejected",
      "tool.bad-arguments",
      "old_string and new_string are the same. Nothing would change.",
    );
  }
  const resolved = await paths.resolve(context.workspace, request.path, "write");
  if (resolved.kind === "directory") {
    throw new ToolRefusal(
      "rejected",
      "path.not-a-file",
      `${quotedPath(request.path)} is a directory. Name a file in it.`,
    );
  }
  if (resolved.kind === "missing" && request.oldText !== "") {
    // Resolved for reading, the refusal names similar files.
    await paths.resolve(context.workspace, request.path, "read");
  }
  const [verb, about] = describeEdit(resolved, request);
  return {
    tool: "edit_file",
    arguments: { ...args, replace_all: request.all },
    effect: "write",
    risk: "medium",
    paths: [pathUse(resolved)],
    summary: summaryLine(verb, resolved, request.path, about),
  };
}

function describeEdit({ kind }: ResolvedPath, { oldText, newText, all }: EditRequest): readonly [string, string] {
  const lines = splitLines(newText).length;
  if (kind === "missing") return ["Create", ` (${plural(lines, "line")})`];
  const every = all ? ", everywhere" : "";
  const before = splitLines(oldText).length;
  return ["Edit", ` (${plural(before, "line")} ${before === 1 ? "becomes" : "become"} ${lines}${every})`];
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
  const { text, count } = replaced(current, request, resolved, limitBytes);
  const after = encodeText({ ...current, text });
  if (after.length > limitBytes) throw tooLarge(resolved, limitBytes);
  return stageFiles(
    [{ resolved, before: content, after }],
    `Edited ${resolved.shown}, ${plural(count, "replacement")}.`,
  );
}

function stageCreation(resolved: ResolvedPath, { oldText, newText }: EditRequest, limitBytes: number): Staged {
  if (oldText !== "") {
    throw new ToolRefusal("rejected", "path.not-found", `${quotedPath(resolved.shown)} does not exist.`);
  }
  const after = Buffer.from(newText);
  if (after.length > limitBytes) throw tooLarge(resolved, limitBytes);
  const done = `Created ${resolved.shown} (${plural(splitLines(newText).length, "line")}).`;
  return stageFiles([{ resolved, before: null, after }], done);
}

function replaced(
  current: TextContent,
  request: EditRequest,
  resolved: ResolvedPath,
  limitLength: number,
): { readonly text: string; readonly count: number } {
  const path = quotedPath(resolved.shown);
  const edit = withoutMark(request);
  if (edit.oldText === "") return fillEmpty(current, edit, path);
  const result = replaceText(current.text, { ...edit, limitLength, listedLines: maxListedMatches });
  switch (result.type) {
    case "replaced":
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

function fillEmpty(
  current: TextContent,
  { newText }: Omit<EditRequest, "path">,
  path: string,
): { text: string; count: number } {
  if (current.text === "") return { text: newText, count: 1 };
  const text = `old_string is empty, but ${path} has content. Quote the text to replace, or use write_file with overwrite.`;
  throw new ToolRefusal("rejected", "tool.bad-arguments", text);
}

/** The mark at a file's start is kept apart from its text, so it cannot be part of what is looked for. */
function withoutMark({ oldText, newText, all }: EditRequest): Omit<EditRequest, "path"> {
  if (!oldText.startsWith("\ufeff")) return { oldText, newText, all };
  return { oldText: oldText.slice(1), newText: newText.replace(/^\ufeff/, ""), all };
}

function tooLarge(resolved: ResolvedPath, limitBytes: number): ToolRefusal {
  const text = `${quotedPath(resolved.shown)} would have more than ${limitBytes} bytes after the edit.`;
  return new ToolRefusal("rejected", "file.too-large", text);
}

function editRequest({ path, old_string, new_string, replace_all = false }: JsonObject): EditRequest {
  const strings = typeof path === "string" && typeof old_string === "string" && typeof new_string === "string";
  if (!strings || typeof replace_all !== "boolean") {
    throw new AppError("internal.bug", "edit_file was called with unchecked arguments");
  }
  return { path, oldText: old_string, newText: new_string, all: replace_all };
}
