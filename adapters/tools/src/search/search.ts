import type { ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import type { Action, ActionDraft, JsonObject } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { ProtectedLinks } from "../paths/hard-links.ts";
import { inertText } from "../paths/inert-text.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import { MatchCollection } from "./collect-matches.ts";
import { createFileFilter } from "./file-filter.ts";
import { RipgrepFinder } from "./ripgrep/find-ripgrep.ts";
import { asResult, resolveAgain } from "./resolve-again.ts";
import { searchFiles } from "./search-files.ts";
import { readSearchRequest, type SearchDefaults, writeSearchRequest } from "./search-request.ts";
import { searchResult } from "./search-result.ts";
import type { ToolCode } from "../tool-entry.ts";

/** Finds ripgrep. @param roots  real directories that nothing may be run from */
export interface ProgramFinder {
  find(roots: readonly string[]): Promise<string | undefined>;
}

/** `search`: lines that match a regular expression, in order of path and line. Ripgrep looks; which files is decided here. */
export function createSearchTool(
  options: ToolsOptions,
  paths: WorkspacePaths,
  finder: ProgramFinder = new RipgrepFinder(options.environment["PATH"] ?? ""),
): ToolCode {
  return {
    prepare: async (args, context) => await prepare(args, context, options, paths),
    run: async (action, _staged, context) =>
      await asResult(async () => await run(action, context, { options, paths, finder })),
  };
}

async function prepare(
  args: JsonObject,
  context: ToolContext,
  options: ToolsOptions,
  paths: WorkspacePaths,
): Promise<ActionDraft> {
  const request = readSearchRequest(args, defaultsOf(options));
  const start = await paths.resolve(context.workspace, request.path, "read", context);
  const filter = { ...request, start, isDenied: () => false };
  // For its refusals: a glob that means nothing.
  createFileFilter(filter);
  return {
    tool: "search",
    arguments: writeSearchRequest({ ...request, path: start.shown }),
    effect: "read",
    risk: "low",
    paths: [{ real: start.real, shown: start.shown, access: "read" }],
    summary: inertText(`search ${request.query.pattern} in ${start.shown}`, summaryLength),
  };
}

/** UTF-16 units. */
const summaryLength = 200;

function defaultsOf({ limits, timeouts }: ToolsOptions): SearchDefaults {
  return { searchResults: limits.searchResults, searchMs: timeouts.searchMs };
}

interface Parts {
  readonly options: ToolsOptions;
  readonly paths: WorkspacePaths;
  readonly finder: ProgramFinder;
}

async function run(action: Action, context: ToolRunContext, { options, paths, finder }: Parts): Promise<ToolResult> {
  const request = readSearchRequest(action.arguments, defaultsOf(options));
  const start = await resolveAgain(action, context, paths);
  const program = request.query.fuzzy > 0 ? "" : await finder.find(context.workspace.roots);
  if (program === undefined) return { status: "failed", code: "tool.failed", content: noProgram };
  const isDenied = (realPath: string): boolean => paths.isDenied(context.workspace, realPath);
  const links = new ProtectedLinks(start.root, isDenied);
  const filter = createFileFilter({ ...request, start, isDenied });
  const unit = request.output === "files" ? "files" : "matches";
  const found = new MatchCollection(request.offset - 1 + request.maxResults, unit, request.maxMatchesPerFile);
  const end = await searchFiles({ ...request, program, start, filter, links, signal: context.signal }, found);
  if (end.type === "failed") return { status: "failed", code: "tool.failed", content: end.message };
  const shown = (realPath: string): string => paths.shown(context.workspace, realPath);
  return await searchResult({ request, start, found, end, outputBytes: options.limits.outputBytes, links, shown });
}

const noProgram =
  "search needs ripgrep (rg, version 13 or newer), and there is none here: no binary came with this installation for this platform, and none is on the " +
  "search path outside the workspace. The user can install it (apt install ripgrep, brew install ripgrep, winget install BurntSushi.ripgrep.MSVC). " +
  "Until then, glob finds files by name and read_file reads them.";
