import type { Tool, ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import { type Action, type ActionDraft, type JsonObject, unreachable, type Workspace } from "@capstan/protocol";
import { searchDefinition } from "../definitions/search-definition.ts";
import type { ToolsOptions } from "../options.ts";
import { inertText } from "../paths/inert-text.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import { MatchCollection } from "./collect-matches.ts";
import { createFileFilter, type FileFilter } from "./file-filter.ts";
import { RipgrepFinder } from "./ripgrep/find-ripgrep.ts";
import { asResult, resolveAgain } from "./resolve-again.ts";
import { searchBuiltIn } from "./search-built-in.ts";
import type { EngineEnd, SearchEngine } from "./search-engine.ts";
import { readSearchRequest, writeSearchRequest } from "./search-request.ts";
import { searchResult } from "./search-result.ts";
import { searchWithRipgrep } from "./ripgrep/search-with-ripgrep.ts";

/** Makes the engines for one workspace, the preferred one first. */
export type EngineChoice = (workspace: Workspace) => readonly SearchEngine[];

/**
 * `search`: lines that match a regular expression, in order of path and line. Ripgrep looks where there is one, our own
 * search elsewhere, with the same results; protected files are never looked into.
 * @param engines  for tests that must run one of them
 */
export function createSearchTool(
  options: ToolsOptions,
  paths: WorkspacePaths,
  engines: EngineChoice = defaultEngines(options),
): Tool {
  return {
    definition: searchDefinition(options),
    aliases: [],
    effect: "read",
    prepare: async (args, context) => await prepare(args, context, options, paths),
    run: async (action, _staged, context) =>
      await asResult(async () => await run(action, context, { options, paths, engines })),
  };
}

async function prepare(
  args: JsonObject,
  context: ToolContext,
  options: ToolsOptions,
  paths: WorkspacePaths,
): Promise<ActionDraft> {
  const request = readSearchRequest(args, options.limits.searchResults);
  const start = await paths.resolve(context.workspace, request.path, "read");
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

interface Parts {
  readonly options: ToolsOptions;
  readonly paths: WorkspacePaths;
  readonly engines: EngineChoice;
}

async function run(action: Action, context: ToolRunContext, parts: Parts): Promise<ToolResult> {
  const { options, paths } = parts;
  const request = readSearchRequest(action.arguments, options.limits.searchResults);
  const start = await resolveAgain(action, context.workspace, paths);
  const isDenied = (realPath: string): boolean => paths.isDenied(context.workspace, realPath);
  const filter: FileFilter = createFileFilter({ ...request, start, isDenied });
  const found = new MatchCollection(request.maxResults, request.output === "files" ? "files" : "matches");
  const { query, hidden } = request;
  const engineRequest = { query, start, filter, hidden, timeoutMs: options.timeouts.searchMs, signal: context.signal };
  let end: EngineEnd = { type: "unavailable" };
  for (const engine of parts.engines(context.workspace)) {
    end = await engine(engineRequest, found.take);
    if (end.type !== "unavailable") break;
  }
  switch (end.type) {
    case "bad-pattern":
      return { status: "failed", code: "tool.failed", content: `The pattern is not valid.\n${end.message}` };
    case "unavailable":
      return { status: "failed", code: "tool.failed", content: "No search engine works here." };
    case "complete":
    case "incomplete": {
      const shown = (realPath: string): string => paths.shown(context.workspace, realPath);
      return await searchResult({
        request,
        start,
        found,
        end,
        outputBytes: options.limits.outputBytes,
        shown,
        isDenied,
      });
    }
    default:
      return unreachable(end);
  }
}

function defaultEngines(options: ToolsOptions): EngineChoice {
  const finder = new RipgrepFinder(options.environment["PATH"] ?? "");
  const deniedGlobs = options.deniedPatterns
    .map((pattern) => (pattern.includes("/") ? pattern : `**/${pattern}`))
    .filter((pattern) => pattern.startsWith("**/"));
  return (workspace) => [searchWithRipgrep(async () => await finder.find(workspace.roots), deniedGlobs), searchBuiltIn];
}
