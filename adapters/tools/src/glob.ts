import { compileGlob } from "@capstan/patterns";
import type { ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import { type Action, type ActionDraft, type JsonObject, ToolRefusal } from "@capstan/protocol";
import { join, posix } from "node:path";
import { gitignoreWalk, type WalkStop } from "./gitignore-walk.ts";
import type { ToolsOptions } from "./options.ts";
import { inertText } from "./paths/inert-text.ts";
import type { ResolvedPath, WorkspacePaths } from "./paths/workspace-paths.ts";
import { BoundedLines } from "./search/bounded-lines.ts";
import { outputRoom } from "./output-room.ts";
import { maxGlobResults, reservedResultBytes } from "./search/limits.ts";
import { maxPathBytes } from "./paths/limits.ts";
import { asResult, resolveAgain } from "./search/resolve-again.ts";
import type { ToolCode } from "./tool-entry.ts";

/** `glob`: names of files that match a pattern, in order, without what git ignores. Names only: content stays protected. */
export function createGlobTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  return {
    prepare: async (args, context) => await prepare(args, context, options, paths),
    run: async (action, _staged, context) => await asResult(async () => await run(action, context, options, paths)),
  };
}

async function prepare(
  args: JsonObject,
  context: ToolContext,
  options: ToolsOptions,
  paths: WorkspacePaths,
): Promise<ActionDraft> {
  const { pattern, path, hidden, limit } = readArguments(args, options);
  const { base, rest } = splitPattern(pattern);
  compilePattern(rest, hidden);
  const start = await paths.resolve(
    context.workspace,
    base.startsWith("/") ? base : posix.join(path, base),
    "read",
    context,
  );
  if (start.kind !== "directory") throw bad(`path must be a directory; ${inertText(start.shown, 200)} is a file.`);
  return {
    tool: "glob",
    arguments: { pattern: rest, path: start.shown, hidden, limit },
    effect: "read",
    risk: "low",
    paths: [{ real: start.real, shown: start.shown, access: "read" }],
    summary: inertText(`glob ${rest} in ${start.shown}`, summaryLength),
  };
}

async function run(
  action: Action,
  context: ToolRunContext,
  options: ToolsOptions,
  paths: WorkspacePaths,
): Promise<ToolResult> {
  const { pattern, hidden, limit } = readArguments(action.arguments, options);
  const start = await resolveAgain(action, context, paths);
  const matches = compilePattern(pattern, hidden);
  const listing = new BoundedLines(limit, outputRoom(options.limits.outputBytes, reservedResultBytes));
  const stop = await gitignoreWalk(
    {
      start: start.real,
      root: start.root,
      hidden: hidden || namesHidden(pattern),
      signal: context.signal,
      timeoutMs: options.timeouts.searchMs,
    },
    ({ path }) => {
      if (!matches(path)) return "continue";
      listing.add(inertText(paths.shown(context.workspace, join(start.real, path)), maxPathBytes));
      return listing.isFull ? "stop" : "continue";
    },
  );
  const note = listing.isFull ? `[truncated at ${listing.lines.length} matches]` : stopNote(stop);
  const none = `No files match pattern: ${inertText(pattern, summaryLength)}${advice(pattern, start)}`;
  const lines = listing.lines.length === 0 && !listing.isFull ? [none] : listing.lines;
  return {
    status: "ok",
    content: [...lines, ...(note === undefined ? [] : [note])].join("\n"),
    details: { count: listing.lines.length, truncated: note !== undefined },
  };
}

function readArguments(
  args: JsonObject,
  options: ToolsOptions,
): { readonly pattern: string; readonly path: string; readonly hidden: boolean; readonly limit: number } {
  const { pattern, path = ".", hidden = false, limit = options.limits.globResults } = args;
  if (typeof pattern !== "string" || pattern === "") throw bad("pattern must be a glob, such as **/*.ts.");
  if (typeof path !== "string") throw bad("path must be a directory.");
  if (typeof hidden !== "boolean") throw bad("hidden must be true or false.");
  if (typeof limit !== "number" || !(limit >= 1 && limit <= maxGlobResults)) {
    throw bad(`limit must be a number from 1 to ${maxGlobResults}.`);
  }
  return { pattern, path, hidden, limit: Math.floor(limit) };
}

/** The part in front of the first wildcard is a path like any other: it may be absolute, or climb, and is checked as such. */
function splitPattern(pattern: string): { readonly base: string; readonly rest: string } {
  const names = (pattern.endsWith("/") ? `${pattern}**` : pattern).split("/");
  const wild = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  const cut = wild === -1 ? names.length - 1 : wild;
  const rest = names.slice(cut).filter((name) => name !== "" && name !== ".");
  if (rest.includes("..") || rest.length === 0)
    throw bad('pattern must name files; ".." may only stand at its beginning.');
  const base = names.slice(0, cut).join("/");
  return { base: base === "" && pattern.startsWith("/") ? "/" : base, rest: rest.join("/") };
}

function compilePattern(pattern: string, hidden: boolean): (path: string) => boolean {
  const glob = compileGlob(pattern, { dot: hidden });
  if ("problem" in glob) throw bad(`pattern cannot be read: ${glob.problem}.`);
  return glob.matches;
}

/** A pattern that spells out a dot at the beginning of a name wants that name. */
function namesHidden(pattern: string): boolean {
  return /(^|[/{,])\\?\./.test(pattern);
}

function stopNote(stop: WalkStop | undefined): string | undefined {
  if (stop === undefined) return undefined;
  const why = stop === "time" ? "it took too long" : "the tree is too large";
  return `[not everything was looked at: ${why}. Start deeper with path.]`;
}

function advice(pattern: string, start: ResolvedPath): string {
  return pattern.includes("/")
    ? ""
    : ` (looked only at the top of ${inertText(start.shown, summaryLength)}; **/${inertText(pattern, summaryLength)} looks everywhere)`;
}

/** UTF-16 units of a path or pattern in a summary or message. */
const summaryLength = 200;

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
