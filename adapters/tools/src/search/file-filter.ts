import { join } from "node:path";
import { ToolRefusal } from "@capstan/protocol";
import type { ResolvedPath } from "../paths/workspace-paths.ts";
import { compileGlob, expandBraces, type GlobPattern } from "./glob-pattern.ts";
import { IgnoreTree } from "./ignore-tree.ts";
import { maxGlobExpansions, maxGlobLength } from "./limits.ts";

/** Which files a search looks into; the last word for every engine. */
export interface FileFilter {
  /** @param path  relative to the start */
  accepts(path: string): boolean;
  /** A directory nothing in which is ever accepted. */
  skips(path: string): boolean;
  /** Globs with "/" that only ever say the same as `accepts`: an engine may use them to look at fewer files. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface FilterRequest {
  readonly start: ResolvedPath;
  readonly includeGlobs: readonly string[];
  readonly excludeGlobs: readonly string[];
  readonly hidden: boolean;
  isDenied(realPath: string): boolean;
}

/** @throws {ToolRefusal} `tool.bad-arguments` for a glob that means nothing */
export function createFileFilter(request: FilterRequest): FileFilter {
  const { start, hidden } = request;
  const include = request.includeGlobs.filter((glob) => !glob.startsWith("!")).flatMap(anchorGlob);
  const negated = request.includeGlobs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const exclude = [...request.excludeGlobs.map((glob) => glob.replace(/^!/, "")), ...negated].flatMap(anchorGlob);
  const included = include.map(compile);
  const excluded = exclude.map(compile);
  const ignored = start.kind === "directory" ? new IgnoreTree(start.real, start.root) : undefined;
  const isDenied = (path: string): boolean => request.isDenied(path === "" ? start.real : join(start.real, path));
  return {
    include,
    exclude,
    skips: (path) => isDenied(path),
    accepts: (path) => {
      if (path === "" || ignored === undefined) return !isDenied(path);
      const names = path.split("/");
      if (names.includes(".git") || (!hidden && names.some((name) => name.startsWith(".")))) return false;
      if (included.length > 0 && !included.some((glob) => glob.matches(path))) return false;
      return !excluded.some((glob) => glob.matches(path)) && !ignored.ignoresFile(path) && !isDenied(path);
    },
  };
}

/** A glob without a slash counts at any depth; one that names a directory counts for everything in it. */
function anchorGlob(glob: string): readonly string[] {
  if (glob.length > maxGlobLength) throw bad(`a glob is longer than ${maxGlobLength} characters.`);
  const alternatives = expandBraces(glob);
  if (alternatives === undefined) throw bad(`a glob means more than ${maxGlobExpansions} alternatives.`);
  return alternatives.flatMap((alternative) => {
    const plain = alternative.replace(/^(\.?\/)+/, "").replace(/\/+$/, "");
    if (plain === "" || plain === ".") return [];
    const anchored = plain.includes("/") || alternative.startsWith("/") ? plain : `**/${plain}`;
    return anchored.endsWith("/**") ? [anchored] : [anchored, `${anchored}/**`];
  });
}

function compile(glob: string): GlobPattern {
  const compiled = compileGlob(glob, true);
  if (compiled === undefined) throw bad('a glob has an open "[" or ends with a backslash.');
  return compiled;
}

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", `include_glob or exclude_glob: ${message}`);
}
