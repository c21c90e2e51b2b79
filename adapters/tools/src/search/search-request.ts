import { type JsonObject, type JsonValue, ToolRefusal } from "@capstan/protocol";
import { maxContextLines, maxSearchResults } from "./limits.ts";

/** What to look for. */
export interface SearchQuery {
  readonly pattern: string;
  readonly case: "smart" | "sensitive" | "insensitive";
  readonly fixedStrings: boolean;
  readonly wordRegexp: boolean;
}

/** A call of `search`, checked, with its defaults. */
export interface SearchRequest {
  readonly query: SearchQuery;
  readonly path: string;
  readonly includeGlobs: readonly string[];
  readonly excludeGlobs: readonly string[];
  readonly hidden: boolean;
  readonly contextLines: number;
  readonly maxResults: number;
  readonly output: "content" | "files";
}

/** @throws {ToolRefusal} `tool.bad-arguments`, which names the argument and how to fix it */
export function readSearchRequest(args: JsonObject, defaultResults: number): SearchRequest {
  return {
    query: {
      pattern: readPattern(args["pattern"]),
      case: oneOf("case", args["case"] ?? "smart", ["smart", "sensitive", "insensitive"] as const),
      fixedStrings: flag("fixed_strings", args["fixed_strings"]),
      wordRegexp: flag("word_regexp", args["word_regexp"]),
    },
    path: typeof args["path"] === "string" ? args["path"] : ".",
    includeGlobs: texts("include_glob", args["include_glob"]),
    excludeGlobs: texts("exclude_glob", args["exclude_glob"]),
    hidden: flag("hidden", args["hidden"]),
    contextLines: count("context", args["context"] ?? 0, 0, maxContextLines),
    maxResults: count("max_results", args["max_results"] ?? defaultResults, 1, maxSearchResults),
    output: oneOf("output", args["output"] ?? "content", ["content", "files"] as const),
  };
}

/** The same call as arguments, so that an action holds every default. */
export function writeSearchRequest(request: SearchRequest): JsonObject {
  const { query } = request;
  return {
    pattern: query.pattern,
    path: request.path,
    case: query.case,
    fixed_strings: query.fixedStrings,
    word_regexp: query.wordRegexp,
    include_glob: request.includeGlobs,
    exclude_glob: request.excludeGlobs,
    hidden: request.hidden,
    context: request.contextLines,
    max_results: request.maxResults,
    output: request.output,
  };
}

function readPattern(value: JsonValue | undefined): string {
  if (typeof value !== "string" || value === "") throw bad("pattern must be a regular expression, not empty.");
  if (value.length > maxPatternLength) throw bad(`pattern must not be longer than ${maxPatternLength} characters.`);
  if (value.includes("\n")) throw bad("pattern must not hold a line break: search looks at one line at a time.");
  if (value.includes("\0")) throw bad("pattern must not hold a NUL character.");
  if (/\p{Cs}/u.test(value)) throw bad("pattern holds half of a surrogate pair.");
  return value;
}

/** UTF-16 units of a pattern: it is an argument of a program. */
const maxPatternLength = 32_768;

function flag(name: string, value: JsonValue | undefined): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw bad(`${name} must be true or false.`);
}

function count(name: string, value: JsonValue, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw bad(`${name} must be a whole number from ${least} to ${most}.`);
}

function oneOf<Name extends string>(name: string, value: JsonValue, allowed: readonly Name[]): Name {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw bad(`${name} must be one of ${allowed.join(", ")}.`);
  return found;
}

function texts(name: string, value: JsonValue | undefined): readonly string[] {
  const list = typeof value === "string" ? [value] : (value ?? []);
  if (isTextList(list)) return list;
  throw bad(`${name} must be a list of globs, such as ["*.ts"].`);
}

function isTextList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
