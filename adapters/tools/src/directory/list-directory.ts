import { compileGlob } from "@capstan/patterns";
import type { ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import { type Action, type ActionDraft, type JsonObject, ToolRefusal } from "@capstan/protocol";
import { pathUse } from "../files/action-path.ts";
import { listTree, type ListedEntry, type WalkStop } from "../gitignore-walk.ts";
import type { ToolsOptions } from "../options.ts";
import { inertText } from "../paths/inert-text.ts";
import { maxPathBytes } from "../paths/limits.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import { BoundedLines } from "../search/bounded-lines.ts";
import { outputRoom } from "../output-room.ts";
import { reservedResultBytes } from "../search/limits.ts";
import { asResult, resolveAgain } from "../search/resolve-again.ts";
import type { ToolCode } from "../tool-entry.ts";
import { maxCountedEntries, maxListingGlobs, usualListingEntries } from "./limits.ts";

/** `list_directory`: what a directory holds, in order, level by level and part by part. Names only: content stays protected. */
export function createListDirectoryTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  return {
    prepare: async (args, context) => await prepareListing(args, context, paths),
    run: async (action, _staged, context) => await asResult(async () => await run(action, context, options, paths)),
  };
}

/** Also what reading a directory comes to. */
export async function prepareListing(
  args: JsonObject,
  context: ToolContext,
  paths: WorkspacePaths,
): Promise<ActionDraft> {
  const request = readRequest(args);
  const start = await paths.resolve(context.workspace, request.path, "read", context);
  if (start.kind !== "directory") {
    const text = `${quotedPath(start.shown)} is a file. Read it with read_file.`;
    throw new ToolRefusal("rejected", "path.not-a-file", text);
  }
  const levels = request.depth === 1 ? "" : `, ${request.depth} levels`;
  return {
    tool: "list_directory",
    arguments: { ...request, path: start.shown },
    effect: "read",
    risk: "low",
    paths: [pathUse(start)],
    summary: inertText(`List ${start.shown}${levels}`, 200),
  };
}

async function run(
  action: Action,
  context: ToolRunContext,
  options: ToolsOptions,
  paths: WorkspacePaths,
): Promise<ToolResult> {
  const { depth, offset, limit, ignore } = readRequest(action.arguments);
  const start = await resolveAgain(action, context, paths);
  const leavesOut = readGlobs(ignore);
  const listing = new BoundedLines(limit, outputRoom(options.limits.outputBytes, reservedResultBytes));
  let seen = 0;
  const stop = await listTree(
    {
      start: start.real,
      root: start.root,
      hidden: true,
      namesIgnored: true,
      depth,
      skips: leavesOut,
      signal: context.signal,
      timeoutMs: options.timeouts.searchMs,
    },
    (entry) => {
      if (leavesOut(entry.path)) return "continue";
      seen += 1;
      if (seen < offset) return "continue";
      listing.add(inertText(lineOf(entry), maxPathBytes));
      // What is not shown is counted, so that the page says of how many.
      return listing.isFull && seen >= maxCountedEntries ? "stop" : "continue";
    },
  );
  const shown = listing.lines.length;
  const last = offset + shown - 1;
  const total = `${seen >= maxCountedEntries || stop !== undefined ? "more than " : ""}${seen}`;
  const note = listing.isFull
    ? `[entries ${offset} to ${last} of ${total}: continue with offset ${last + 1}]`
    : stopNote(stop);
  const none = seen === 0 ? "(empty)" : `(there are ${seen} entries)`;
  return {
    status: "ok",
    content: [...(shown === 0 && !listing.isFull ? [none] : listing.lines), ...(note === undefined ? [] : [note])].join(
      "\n",
    ),
    details: { count: shown, total: seen, truncated: note !== undefined },
  };
}

function lineOf({ path, type }: ListedEntry): string {
  return type === "directory" ? `${path}/` : type === "link" ? `${path} (link)` : path;
}

interface ListingRequest extends JsonObject {
  readonly path: string;
  readonly depth: number;
  readonly offset: number;
  readonly limit: number;
  readonly ignore: readonly string[];
}

function readRequest(args: JsonObject): ListingRequest {
  const { path = ".", depth = 1, offset = 1, limit = usualListingEntries, ignore = [] } = args;
  if (typeof path !== "string" || typeof depth !== "number" || typeof offset !== "number" || typeof limit !== "number")
    throw bad("path is a text; depth, offset and limit are whole numbers from 1.");
  const globs = Array.isArray(ignore) ? ignore.filter((glob) => typeof glob === "string") : [];
  if (globs.length > maxListingGlobs)
    throw bad(`ignore has ${globs.length} globs; at most ${maxListingGlobs} are taken.`);
  readGlobs(globs);
  return { path: path === "" ? "." : path, depth, offset, limit, ignore: globs };
}

/** A bare name is left out at every level. */
function readGlobs(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map((pattern) => {
    const glob = compileGlob(pattern.includes("/") ? pattern.replace(/\/+$/, "") : `**/${pattern}`, { dot: true });
    if ("problem" in glob) throw bad(`ignore cannot be read: ${glob.problem}.`);
    return glob.matches;
  });
  return (path) => matchers.some((matches) => matches(path));
}

function stopNote(stop: WalkStop | undefined): string | undefined {
  if (stop === undefined) return undefined;
  const why = stop === "time" ? "it took too long" : "the tree is too large";
  return `[not everything was looked at: ${why}. List a directory below it.]`;
}

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
