import { join } from "node:path";
import { compileGlob, type Glob } from "@capstan/patterns";
import { ToolRefusal } from "@capstan/protocol";
import type { ResolvedPath } from "../paths/workspace-paths.ts";

/** Which of the files of a walk a search looks into. */
export interface FileFilter {
  /** @param path  relative to the start */
  accepts(path: string): boolean;
  /** A directory nothing in which is ever accepted. */
  skips(path: string): boolean;
}

export interface FilterRequest {
  readonly start: ResolvedPath;
  readonly includeGlobs: readonly string[];
  readonly excludeGlobs: readonly string[];
  isDenied(realPath: string): boolean;
}

/** @throws {ToolRefusal} `tool.bad-arguments` for a glob that means nothing */
export function createFileFilter(request: FilterRequest): FileFilter {
  const { start } = request;
  const included = request.includeGlobs
    .filter((glob) => !glob.startsWith("!"))
    .flatMap(anchorGlob)
    .map(compile);
  const negated = request.includeGlobs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const excluded = [...request.excludeGlobs.map((glob) => glob.replace(/^!/, "")), ...negated]
    .flatMap(anchorGlob)
    .map(compile);
  const isDenied = (path: string): boolean => request.isDenied(join(start.real, path));
  return {
    skips: (path) => isDenied(path),
    accepts: (path) => {
      if (included.length > 0 && !included.some((glob) => glob.covers(path))) return false;
      return !excluded.some((glob) => glob.covers(path)) && !isDenied(path);
    },
  };
}

/** A glob without a slash counts at any depth; one that names a directory counts for everything in it. */
function anchorGlob(glob: string): readonly Anchored[] {
  const plain = glob.replace(/^(\.?\/)+/, "");
  return plain === "" || plain === "." ? [] : [{ glob: plain, anyDepth: !glob.startsWith("/") }];
}

interface Anchored {
  readonly glob: string;
  readonly anyDepth: boolean;
}

function compile({ glob, anyDepth }: Anchored): Glob {
  const compiled = compileGlob(glob, { dot: true, anyDepth });
  if ("problem" in compiled) throw bad(`a glob cannot be read: ${compiled.problem}.`);
  return compiled;
}

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", `include_glob or exclude_glob: ${message}`);
}
