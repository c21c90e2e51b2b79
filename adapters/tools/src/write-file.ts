import type { Staged, ToolContext } from "@capstan/ports";
import { type Action, type ActionDraft, AppError, type JsonObject, ToolRefusal } from "@capstan/protocol";
import { pathUse, resolveActionPath, summaryLine } from "./files/action-path.ts";
import { plural } from "./files/plural.ts";
import { probeFiles } from "./files/probe/probe-files.ts";
import { readSeenFile } from "./files/current-file.ts";
import { commitStaged, stageFiles } from "./files/staged-files.ts";
import { splitLines } from "./files/text-content.ts";
import { withinTime } from "./files/within-time.ts";
import type { ToolsOptions } from "./options.ts";
import { quotedPath } from "./paths/path-syntax.ts";
import type { ResolvedPath, WorkspacePaths } from "./paths/workspace-paths.ts";
import type { ToolCode } from "./tool-entry.ts";

/** Creates files; overwrites one only when asked to, and only content the model has seen. */
export function createWriteFileTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  const stage = async (action: Action, context: ToolContext): Promise<Staged> =>
    await withinTime(options.timeouts.fileMs, context.signal, async (signal) => {
      return await stageWrite(options, paths, action, { ...context, signal });
    });
  return {
    prepare: async (args, context) => await prepareWrite(options, paths, args, context),
    stage,
    run: async (action, staged, context) =>
      await commitStaged(staged ?? (await stage(action, context)), context.signal),
    probe: async (_action, settle, context) => await probeFiles(settle, context, { paths, timeouts: options.timeouts }),
  };
}

interface WriteRequest {
  readonly path: string;
  readonly content: string;
  readonly overwrite: boolean;
}

async function prepareWrite(
  options: ToolsOptions,
  paths: WorkspacePaths,
  args: JsonObject,
  context: ToolContext,
): Promise<ActionDraft> {
  const request = writeRequest(args);
  const size = Buffer.byteLength(request.content);
  if (size > options.limits.writeBytes) {
    const text = `content has ${size} bytes; at most ${options.limits.writeBytes} are written at once. Write less, or in parts.`;
    throw new ToolRefusal("rejected", "file.too-large", text);
  }
  const resolved = await paths.resolve(context.workspace, request.path, "write");
  checkPlace(resolved, request);
  const verb = resolved.kind === "missing" ? "Create" : "Overwrite";
  const about = ` (${plural(splitLines(request.content).length, "line")}, ${plural(size, "byte")})`;
  return {
    tool: "write_file",
    arguments: { ...args, overwrite: request.overwrite },
    effect: "write",
    risk: "medium",
    paths: [pathUse(resolved)],
    summary: summaryLine(verb, resolved, request.path, about),
  };
}

async function stageWrite(
  { limits }: ToolsOptions,
  paths: WorkspacePaths,
  action: Action,
  context: ToolContext,
): Promise<Staged> {
  const request = writeRequest(action.arguments);
  const resolved = await resolveActionPath(paths, context, action, request.path);
  checkPlace(resolved, request);
  const after = Buffer.from(request.content);
  const lines = plural(splitLines(request.content).length, "line");
  if (resolved.kind === "missing") {
    return stageFiles([{ resolved, before: null, after }], `Created ${resolved.shown} (${lines}).`);
  }
  const { content } = await readSeenFile(resolved, context, Math.max(limits.writeBytes, limits.scanBytes));
  const done = content.equals(after)
    ? `${resolved.shown} already has exactly this content; nothing was written.`
    : `Overwrote ${resolved.shown} (${lines}).`;
  return stageFiles([{ resolved, before: content, after }], done);
}

function checkPlace(resolved: ResolvedPath, { path, overwrite }: WriteRequest): void {
  switch (resolved.kind) {
    case "missing":
      return;
    case "directory":
      throw new ToolRefusal("rejected", "path.not-a-file", `${quotedPath(path)} is a directory. Name a file in it.`);
    case "file":
      if (overwrite) return;
      throw new ToolRefusal(
        "rejected",
        "file.exists",
        `${quotedPath(path)} exists. Change it with edit_file or apply_patch, or read it and set overwrite to true.`,
      );
  }
}

function writeRequest({ path, content, overwrite = false }: JsonObject): WriteRequest {
  if (typeof path !== "string" || typeof content !== "string" || typeof overwrite !== "boolean") {
    throw new AppError("internal.bug", "write_file was called with unchecked arguments");
  }
  return { path, content, overwrite };
}
