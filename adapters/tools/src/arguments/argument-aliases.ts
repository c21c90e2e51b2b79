import type { JsonObject, JsonValue } from "@capstan/protocol";
import { askUserAliases, updatePlanAliases } from "./session-argument-aliases.ts";

/** Fields some other agent's tool has, and what they mean to ours. */
export interface ArgumentAlias {
  readonly from: readonly string[];
  /** Also looks at fields the schema knows (for values of a foreign type). */
  readonly overrides?: boolean;
  /**
   * @param present  those of `from` that were sent, in the order of `from`
   * @returns the fields that take their place; `undefined`: leave everything as it is, for the schema check to judge
   */
  readonly convert: (args: JsonObject, present: readonly string[]) => JsonObject | undefined;
}

const path = renamed("path", [
  "file_path",
  "filePath",
  "filepath",
  "file",
  "filename",
  "file_name",
  "target_file",
  "absolute_path",
  "relative_path",
]);
const directory = renamed("path", ["directory", "dir", "folder", "root", "base_path", "search_path", "dir_path"]);

/** By canonical tool name, tried in order. Names of Claude Code, Codex, Gemini CLI, opencode, aider-like tools and the seeds. */
export const argumentAliases: Readonly<Record<string, readonly ArgumentAlias[]>> = {
  read_file: [
    path,
    { from: ["offset", "limit"], convert: rangeOfOffset },
    { from: ["view_range", "line_range", "range"], convert: rangeOfPair },
    renamed("start_line", ["startLine", "start", "from_line", "line_start"]),
    renamed("end_line", ["endLine", "end", "to_line", "line_end"]),
  ],
  write_file: [
    path,
    renamed("content", ["text", "contents", "file_text", "file_content", "data"]),
    renamed("overwrite", ["force", "replace"]),
  ],
  edit_file: [
    path,
    renamed("old_string", ["old_text", "old_str", "oldString", "oldText", "oldStr", "old", "search", "find"]),
    renamed("new_string", ["new_text", "new_str", "newString", "newText", "newStr", "new", "replace", "replacement"]),
    renamed("replace_all", ["replaceAll", "all"]),
    dropped(["description", "explanation", "instruction"]),
  ],
  apply_patch: [
    renamed("patch", ["input", "diff", "patch_text", "patchText", "content"]),
    dropped(["description", "explanation"]),
  ],
  run_command: [
    { from: ["command", "cmd"], overrides: true, convert: vectorOfCommand },
    renamed("command", ["cmd", "script", "commandLine", "command_line", "code"]),
    renamed("argv", ["args", "arguments"]),
    renamed("cwd", ["workdir", "working_dir", "working_directory", "workingDirectory", "directory", "dir", "dir_path"]),
    { from: ["timeout_ms", "timeoutMs"], convert: secondsOfMilliseconds },
    { from: ["timeout"], convert: secondsOfTimeout },
    // Words about the call: the person sees the command itself, and the action shown holds nothing else.
    dropped(["description", "reason", "explanation", "justification"]),
    { from: ["run_in_background", "is_background", "background"], convert: nothingWhenFalse },
  ],
  glob: [
    renamed("pattern", ["glob", "glob_pattern", "globPattern", "query", "file_pattern"]),
    renamed("path", ["cwd"]),
    directory,
    path,
    renamed("limit", ["max_results", "maxResults", "head_limit"]),
    renamed("hidden", ["include_hidden", "includeHidden", "dot"]),
  ],
  search: [
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
    dropped(["-n", "line_numbers", "description", "explanation"]),
  ],
  ask_user: askUserAliases,
  update_plan: updatePlanAliases,
  exit_plan_mode: [
    renamed("plan", ["content", "text", "markdown"]),
    renamed("plan_file", ["planFile", "plan_path", "planFilePath", "path", "file_path"]),
    dropped(["allowedPrompts", "launchSwarm", "teammateCount", "description", "explanation", "summary"]),
  ],
};

function renamed(to: string, from: readonly string[]): ArgumentAlias {
  return {
    from,
    convert: (args, present) => {
      const value = args[present[0] ?? ""];
      // Two names with two values: nobody can tell which one was meant.
      const agreed = present.every((name) => JSON.stringify(args[name]) === JSON.stringify(value));
      return value === undefined || !agreed ? undefined : { [to]: value };
    },
  };
}

function dropped(from: readonly string[]): ArgumentAlias {
  return { from, convert: () => ({}) };
}

/** `offset`: first line, 1-based (0 means the same as 1); `limit`: number of lines. */
function rangeOfOffset(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const offset = present.includes("offset") ? wholeNumber(args["offset"]) : 1;
  const limit = present.includes("limit") ? wholeNumber(args["limit"]) : null;
  if (offset === undefined || limit === undefined) return undefined;
  const startLine = Math.max(1, offset);
  if (limit === null) return { start_line: startLine };
  return limit < 1 ? undefined : { start_line: startLine, end_line: startLine + limit - 1 };
}

/** `[first, last]`; -1 as last line means the end of the file. */
function rangeOfPair(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const pair = args[present[0] ?? ""];
  if (!Array.isArray(pair) || pair.length !== 2) return undefined;
  const [first, last] = pair;
  if (typeof first !== "number" || typeof last !== "number") return undefined;
  return last === -1 ? { start_line: first } : { start_line: first, end_line: last };
}

/** A command given as a list of texts is an argument vector. */
function vectorOfCommand(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const value = args[present[0] ?? ""];
  return present.length === 1 && Array.isArray(value) && value.every((item) => typeof item === "string")
    ? { argv: value }
    : undefined;
}

function secondsOfMilliseconds(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const milliseconds = wholeNumber(args[present[0] ?? ""]);
  return milliseconds === undefined ? undefined : { timeout_seconds: Math.max(1, Math.ceil(milliseconds / 1000)) };
}

/** Some tools mean seconds, some milliseconds; nobody means a time-out of 1000 s and more written as seconds, or under one. */
function secondsOfTimeout(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const timeout = wholeNumber(args["timeout"]);
  if (timeout === undefined) return undefined;
  return timeout >= 1000 ? secondsOfMilliseconds(args, present) : { timeout_seconds: timeout };
}

function nothingWhenFalse(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  return present.every((name) => args[name] === false || args[name] === "false") ? {} : undefined;
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
  if (mode === "files_with_matches" || mode === "files") return { output: "files" };
  return mode === "content" ? { output: "content" } : undefined;
}

/** A whole number, also when it came as text; negative ones are nobody's offset, limit or time. */
function wholeNumber(value: JsonValue | undefined): number | undefined {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
