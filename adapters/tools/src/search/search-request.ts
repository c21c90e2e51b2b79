import { type JsonObject, type JsonValue, ToolRefusal } from "@capstan/protocol";
import {
  maxContextLines,
  maxCountedMatches,
  maxFuzzyErrors,
  maxFuzzyLength,
  maxMatchesPerFile,
  maxSearchedFiles,
  maxSearchFileBytes,
  maxSearchResults,
  minSearchTimeoutMs,
} from "./limits.ts";

/** What to look for. */
export interface SearchQuery {
  readonly pattern: string;
  readonly case: "smart" | "sensitive" | "insensitive";
  readonly fixedStrings: boolean;
  readonly wordRegexp: boolean;
  /** Letters that may be wrong, missing or too many. Above 0 the pattern is text, and no expression. */
  readonly fuzzy: number;
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
  /** The first result that is shown, from 1. */
  readonly offset: number;
  /** What .gitignore excludes is searched, too; what is protected is not. */
  readonly noIgnore: boolean;
  /** Where links lead is searched, too, as far as it lies in the workspace. */
  readonly follow: boolean;
  readonly maxMatchesPerFile: number | undefined;
  readonly maxFiles: number | undefined;
  readonly maxFileBytes: number | undefined;
  readonly timeoutMs: number;
}

/** What the configuration says where a call says nothing. */
export interface SearchDefaults {
  readonly searchResults: number;
  readonly searchMs: number;
}

/** @throws {ToolRefusal} `tool.bad-arguments`, which names the argument and how to fix it */
export function readSearchRequest(args: JsonObject, usual: SearchDefaults): SearchRequest {
  const query = readQuery(args);
  return {
    query,
    path: typeof args["path"] === "string" ? args["path"] : ".",
    includeGlobs: texts("include_glob", args["include_glob"]),
    excludeGlobs: texts("exclude_glob", args["exclude_glob"]),
    hidden: flag("hidden", args["hidden"]),
    contextLines: count("context", args["context"] ?? 0, 0, maxContextLines),
    maxResults: count("max_results", args["max_results"] ?? usual.searchResults, 1, maxSearchResults),
    output: oneOf("output", args["output"] ?? "content", ["content", "files"] as const),
    offset: Math.max(1, count("offset", args["offset"] ?? 1, 0, maxCountedMatches)),
    noIgnore: flag("no_ignore", args["no_ignore"]),
    follow: flag("follow", args["follow"]),
    maxMatchesPerFile: cap("max_matches_per_file", args["max_matches_per_file"], maxMatchesPerFile),
    maxFiles: cap("max_files", args["max_files"], maxSearchedFiles),
    maxFileBytes: cap("max_file_size_bytes", args["max_file_size_bytes"], maxSearchFileBytes),
    timeoutMs: Math.min(usual.searchMs, timeout(args["timeout_ms"])),
  };
}

function readQuery(args: JsonObject): SearchQuery {
  const pattern = readPattern(args["pattern"]);
  const fuzzy = count("fuzzy", args["fuzzy"] ?? 0, 0, maxFuzzyErrors);
  const wordRegexp = flag("word_regexp", args["word_regexp"]);
  if (fuzzy > 0 && wordRegexp) throw bad("fuzzy and word_regexp exclude each other.");
  if (fuzzy > 0 && (pattern.length <= fuzzy || pattern.length > maxFuzzyLength))
    throw bad(`with fuzzy, pattern is plain text of ${fuzzy + 1} to ${maxFuzzyLength} characters.`);
  return {
    pattern,
    case: oneOf("case", args["case"] ?? "smart", ["smart", "sensitive", "insensitive"] as const),
    fixedStrings: flag("fixed_strings", args["fixed_strings"]),
    wordRegexp,
    fuzzy,
  };
}

/** What a call may ask for at most, in milliseconds; the configuration's limit holds below it. */
const maxTimeoutMs = 300_000;

function timeout(value: JsonValue | undefined): number {
  return value === undefined ? maxTimeoutMs : count("timeout_ms", value, minSearchTimeoutMs, maxTimeoutMs);
}

function cap(name: string, value: JsonValue | undefined, most: number): number | undefined {
  return value === undefined || value === null ? undefined : count(name, value, 1, most);
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
    ...(query.fuzzy > 0 ? { fuzzy: query.fuzzy } : {}),
    ...(request.offset > 1 ? { offset: request.offset } : {}),
    ...(request.noIgnore ? { no_ignore: true } : {}),
    ...(request.follow ? { follow: true } : {}),
    ...(request.maxMatchesPerFile === undefined ? {} : { max_matches_per_file: request.maxMatchesPerFile }),
    ...(request.maxFiles === undefined ? {} : { max_files: request.maxFiles }),
    ...(request.maxFileBytes === undefined ? {} : { max_file_size_bytes: request.maxFileBytes }),
    ...(request.timeoutMs >= minSearchTimeoutMs ? { timeout_ms: request.timeoutMs } : {}),
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
