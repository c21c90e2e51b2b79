import { compileGlob } from "@capstan/patterns";
import type { ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import { type Action, type ActionDraft, type JsonObject, type JsonValue, ToolRefusal } from "@capstan/protocol";
import { pathUse } from "../files/action-path.ts";
import { failedResult } from "../files/failed-result.ts";
import { plural } from "../files/plural.ts";
import { gitignoreWalk } from "../gitignore-walk.ts";
import type { ToolsOptions } from "../options.ts";
import { inertText } from "../paths/inert-text.ts";
import type { ResolvedPath, WorkspacePaths } from "../paths/workspace-paths.ts";
import { createReadFileTool } from "../read-file.ts";
import { outputRoom } from "../output-room.ts";
import { reservedResultBytes } from "../search/limits.ts";
import type { ToolCode } from "../tool-entry.ts";
import { maxFilesRead } from "./limits.ts";

/** Reads several files as read_file reads one, as far as the result has room. */
export function createReadManyFilesTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  const reader = createReadFileTool(options, paths);
  return {
    prepare: async (args, context) => await prepare(args, context, options, paths),
    run: async (action, _staged, context) => await run(action, context, options, reader),
  };
}

async function prepare(
  args: JsonObject,
  context: ToolContext,
  options: ToolsOptions,
  paths: WorkspacePaths,
): Promise<ActionDraft> {
  const wanted = texts(args["paths"]);
  const leftOut = texts(args["exclude"]).map((glob) => globOf(glob, "exclude"));
  const found = new Map<string, ResolvedPath>();
  for (const path of wanted) {
    const matched = /[*?[\]{}]/.test(path) ? await namesOf(path, leftOut, context, options) : [path];
    for (const name of matched) {
      const resolved = await placeOf(name, path, context, paths);
      if (resolved !== undefined) found.set(resolved.real, resolved);
    }
  }
  if (found.size === 0) throw bad(`No file matches ${wanted.map((path) => inertText(path, 100)).join(", ")}.`);
  if (found.size > maxFilesRead)
    throw bad(`${found.size} files are too many at once; the limit is ${maxFilesRead}. Name fewer.`);
  const places = [...found.values()];
  return {
    tool: "read_many_files",
    arguments: { paths: places.map(({ shown }) => shown) },
    effect: "read",
    risk: "low",
    paths: places.map(pathUse),
    summary: inertText(`Read ${plural(places.length, "file")}: ${places.map(({ shown }) => shown).join(", ")}`, 200),
  };
}

/** What a glob finds and must not be read is passed over; what was named is refused. */
async function placeOf(
  name: string,
  written: string,
  context: ToolContext,
  paths: WorkspacePaths,
): Promise<ResolvedPath | undefined> {
  try {
    const resolved = await paths.resolve(context.workspace, name, "read", context);
    if (resolved.kind === "file") return resolved;
    throw new ToolRefusal(
      "rejected",
      "path.not-a-file",
      `${inertText(name, 200)} is a directory. Write a glob such as ${inertText(name, 200)}/**.`,
    );
  } catch (error) {
    if (error instanceof ToolRefusal && name !== written) return undefined;
    throw error;
  }
}

async function namesOf(
  pattern: string,
  leftOut: readonly ((path: string) => boolean)[],
  { workspace, signal }: ToolContext,
  options: ToolsOptions,
): Promise<readonly string[]> {
  const matches = globOf(pattern.replace(/^\.\//, ""), "paths");
  const names: string[] = [];
  const root = workspace.roots.find((one) => workspace.cwd.startsWith(one)) ?? workspace.cwd;
  const walk = { start: workspace.cwd, root, hidden: false, signal, timeoutMs: options.timeouts.searchMs };
  await gitignoreWalk(walk, ({ path }) => {
    if (matches(path) && !leftOut.some((leaves) => leaves(path))) names.push(path);
    return names.length > maxFilesRead ? "stop" : "continue";
  });
  return names;
}

async function run(
  action: Action,
  context: ToolRunContext,
  options: ToolsOptions,
  reader: ToolCode,
): Promise<ToolResult> {
  let room = outputRoom(options.limits.outputBytes, reservedResultBytes);
  const pieces: string[] = [];
  const observed: NonNullable<ToolResult["observed"]>[number][] = [];
  const skipped: string[] = [];
  for (const use of action.paths) {
    context.signal.throwIfAborted();
    const one = { ...action, tool: "read_file", arguments: { path: use.real }, paths: [use] };
    const result = await reader.run(one, undefined, context).catch((error: unknown) => failedResult(error));
    const piece = `--- ${inertText(use.shown, 200)} ---\n${result.content}`;
    room -= Buffer.byteLength(piece) + 2;
    if (room < 0) {
      skipped.push(inertText(use.shown, 200));
      continue;
    }
    pieces.push(piece);
    observed.push(...(result.observed ?? []));
  }
  const note = skipped.length === 0 ? [] : [`[no room for: ${skipped.join(", ")}. Read them with read_file.]`];
  return { status: "ok", content: [...pieces, ...note].join("\n\n"), observed };
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function globOf(pattern: string, field: string): (path: string) => boolean {
  const glob = compileGlob(pattern, { dot: false });
  if ("problem" in glob) throw bad(`${field} cannot be read: ${glob.problem}.`);
  return glob.matches;
}

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
