import type { JsonObject } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import {
  maxContextLines,
  maxCountedMatches,
  maxFuzzyErrors,
  maxMatchesPerFile,
  maxSearchedFiles,
  maxSearchFileBytes,
  maxSearchResults,
  minSearchTimeoutMs,
} from "../search/limits.ts";
import { type ArgumentAlias, renamed, dropped, path, directory, wholeNumber } from "../arguments/argument-alias.ts";
import type { ToolEntry } from "../tool-entry.ts";

/** The limits of the configuration are part of what the model reads. */
export const search: ToolEntry = {
  name: "search",
  definition: (options) => ({ description, inputSchema: inputSchema(options) }),
  accepts: {
    properties: {
      fuzzy: { type: "integer", minimum: 1, maximum: maxFuzzyErrors },
      follow: { type: "boolean" },
      max_matches_per_file: { type: "integer", minimum: 1, maximum: maxMatchesPerFile },
      max_files: { type: "integer", minimum: 1, maximum: maxSearchedFiles },
      max_file_size_bytes: { type: "integer", minimum: 1, maximum: maxSearchFileBytes },
      timeout_ms: { type: "integer", minimum: minSearchTimeoutMs },
      no_ignore: { type: "boolean" },
      offset: { type: "integer", minimum: 0, maximum: maxCountedMatches },
    },
    required: ["pattern"],
  },
  effect: "read",
  settles: false,
  rules: { names: ["grep", "rg", "ripgrep", "ug", "ugrep"], pattern: "path", contents: "read" },
  aliases: [
    "Search",
    "grep",
    "Grep",
    "rg",
    "ripgrep",
    "ugrep",
    "ug",
    "file_search",
    "search_files",
    "grep_search",
    "search_file_content",
    "GrepTool",
  ],
  argumentAliases: [
    renamed("pattern", ["query", "regex", "regexp", "search", "search_term", "content"]),
    path,
    directory,
    {
      from: ["glob", "include", "includes", "include_globs", "include_pattern", "file_pattern"],
      convert: listUnder("include_glob"),
    },
    { from: ["exclude", "excludes", "exclude_globs", "exclude_pattern"], convert: listUnder("exclude_glob") },
    {
      from: ["-i", "case_insensitive", "caseInsensitive", "ignore_case", "ignoreCase"],
      convert: caseWhenTrue("insensitive"),
    },
    { from: ["case_sensitive", "caseSensitive"], convert: caseWhenTrue("sensitive") },
    renamed("fixed_strings", ["literal", "fixed", "fixedStrings", "-F"]),
    renamed("word_regexp", ["whole_word", "wholeWord", "word", "-w"]),
    { from: ["-C", "-A", "-B", "context_lines", "contextLines"], convert: widestContext },
    renamed("max_results", ["limit", "head_limit", "headLimit", "maxResults", "max_count", "max_matches"]),
    { from: ["output_mode", "outputMode"], convert: outputOfMode },
    { from: ["type", "file_type"], convert: globsOfType },
    renamed("no_ignore", ["noIgnore", "--no-ignore", "no_gitignore", "-u"]),
    renamed("follow", ["follow_symlinks", "followSymlinks", "-L"]),
    renamed("timeout_ms", ["timeoutMs"]),
    { from: ["multiline"], convert: nothingWhenEmpty },
    dropped(["-n", "line_numbers", "description", "explanation", "names_only", "recursive"]),
  ],
  load: async ({ options, paths }) => (await import("../implementations.ts")).createSearchTool(options, await paths()),
};

const description =
  "Find lines in files by regular expression (Rust syntax, line by line, no look-around). Binary files and what .gitignore excludes are " +
  'skipped. Result: totals, then "path:line: text", sorted.';

function inputSchema(options: ToolsOptions): JsonObject {
  const globs = { type: "array", items: { type: "string" } };
  return {
    type: "object",
    properties: {
      pattern: { type: "string" },
      path: { type: "string" },
      case: { enum: ["smart", "sensitive", "insensitive"] },
      fixed_strings: { type: "boolean" },
      word_regexp: { type: "boolean" },
      include_glob: { ...globs, description: 'Such as ["*.ts"]' },
      exclude_glob: globs,
      hidden: { type: "boolean", description: "Also dot files" },
      context: { type: "integer", maximum: maxContextLines },
      max_results: {
        type: "integer",
        maximum: maxSearchResults,
        description: `Default ${options.limits.searchResults}`,
      },
      output: { enum: ["content", "files"] },
    },
    required: ["pattern"],
    additionalProperties: false,
  };
}

function listUnder(to: string): ArgumentAlias["convert"] {
  return (args, present) => {
    const value = args[present[0] ?? ""];
    if (present.length !== 1 || value === undefined) return undefined;
    return { [to]: typeof value === "string" && !value.trim().startsWith("[") ? [value] : value };
  };
}

function caseWhenTrue(whenTrue: "sensitive" | "insensitive"): ArgumentAlias["convert"] {
  return (args, present) => {
    const value = args[present[0] ?? ""];
    if (value === true || value === "true") return { case: whenTrue };
    if (value === false || value === "false") return { case: whenTrue === "sensitive" ? "insensitive" : "sensitive" };
    return undefined;
  };
}

function widestContext(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const counts = present.map((name) => wholeNumber(args[name])).filter((count) => count !== undefined);
  return counts.length === present.length ? { context: Math.max(...counts) } : undefined;
}

function outputOfMode(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const mode = args[present[0] ?? ""];
  if (mode === "files_with_matches" || mode === "files" || mode === "count") return { output: "files" };
  return mode === "content" ? { output: "content" } : undefined;
}

/** Kinds of files as ripgrep names them. A kind that is not listed is taken for the end of the names. */
function globsOfType(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const type = args[present[0] ?? ""];
  if (typeof type !== "string" || !/^[\w+-]{1,20}$/.test(type)) return undefined;
  return { include_glob: Object.hasOwn(typeGlobs, type) ? [...(typeGlobs[type] ?? [])] : [`*.${type}`] };
}

const typeGlobs: Readonly<Record<string, readonly string[]>> = {
  cpp: ["*.cpp", "*.cc", "*.cxx", "*.hpp", "*.hh", "*.h"],
  cs: ["*.cs"],
  html: ["*.html", "*.htm"],
  javascript: ["*.js", "*.jsx", "*.mjs", "*.cjs"],
  js: ["*.js", "*.jsx", "*.mjs", "*.cjs"],
  kotlin: ["*.kt", "*.kts"],
  markdown: ["*.md", "*.markdown"],
  md: ["*.md", "*.markdown"],
  py: ["*.py", "*.pyi"],
  python: ["*.py", "*.pyi"],
  ruby: ["*.rb"],
  rust: ["*.rs"],
  ts: ["*.ts", "*.tsx", "*.mts", "*.cts"],
  typescript: ["*.ts", "*.tsx", "*.mts", "*.cts"],
  yaml: ["*.yaml", "*.yml"],
};

/** `false`, and from the first result on: as we do it anyway. */
function nothingWhenEmpty(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  return present.every((name) => args[name] === false || args[name] === 0) ? {} : undefined;
}
