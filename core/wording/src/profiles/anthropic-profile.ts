import type { JsonObject } from "@capstan/protocol";
import {
  changed,
  count,
  fieldsOf,
  flag,
  reachFields,
  said,
  shellRules,
  text,
  type ToolProfile,
  withCommandLine,
} from "./tool-profile.ts";

/** The tools of Claude's agent. */
export const anthropicProfile: ToolProfile = {
  hidden: {},
  forms: {
    read_file: {
      name: "Read",
      description:
        "Read a UTF-8 text file. Lines come with their numbers and a tab, which are not part of the file. Needed before a file is changed. A directory is listed.",
      inputSchema: fieldsOf(
        { file_path: text, offset: said("First line, from 1", count), limit: said("Number of lines", count) },
        ["file_path"],
      ),
      fields: { path: "file_path" },
      toOurs: rangeOfOffset,
      toTheirs: offsetOfRange,
    },
    write_file: {
      name: "Write",
      description:
        "Write a file with exactly this content; missing directories are made. A file that exists must have been read.",
      inputSchema: fieldsOf({ file_path: text, content: text }, ["file_path", "content"]),
      fields: { path: "file_path" },
      toOurs: (args) => ("file_path" in args ? { overwrite: true, ...args } : args),
      toTheirs: (args) => changed(args, ["overwrite"]),
    },
    edit_file: {
      name: "Edit",
      description:
        "Replace old_string by new_string in a file that was read before. old_string must be the file's exact text without line numbers, and occur once; else set replace_all.",
      inputSchema: fieldsOf({ file_path: text, old_string: text, new_string: text, replace_all: flag }, [
        "file_path",
        "old_string",
        "new_string",
      ]),
      fields: { path: "file_path" },
    },
    run_command: {
      name: "Bash",
      description: `Run a shell command and wait for it: builds, tests, git. Not for reading, searching or editing files. The result begins with the exit code. ${shellRules}`,
      inputSchema: fieldsOf(
        {
          command: text,
          timeout: said("Milliseconds", { type: "number" }),
          description: text,
          run_in_background: said("Start, do not wait", flag),
          ...reachFields,
        },
        ["command"],
      ),
      fields: { background: "run_in_background" },
      toOurs: (args) => secondsOfTimeout(changed(args, ["description"])),
      toTheirs: (args) => timeoutOfSeconds(withCommandLine(args)),
    },
    command_output: {
      name: "BashOutput",
      description: "Read new output and the state of a background command, or stop it; without bash_id, list them.",
      inputSchema: fieldsOf({
        bash_id: text,
        filter: said("Regular expression"),
        wait_seconds: { type: "number" },
        stop: flag,
      }),
      fields: { id: "bash_id" },
    },
    glob: {
      name: "Glob",
      description: 'Find files by name, such as "**/*.ts". What .gitignore excludes is left out.',
      inputSchema: fieldsOf({ pattern: text, path: said("Directory to start in") }, ["pattern"]),
      fields: {},
    },
    search: {
      name: "Grep",
      description:
        "Find lines in files by regular expression (Rust syntax, line by line). Binary files and what .gitignore excludes are skipped.",
      inputSchema: fieldsOf(
        {
          pattern: text,
          path: text,
          glob: said('Such as "*.ts"'),
          output_mode: { enum: ["content", "files_with_matches"] },
          "-i": flag,
          "-C": said("Lines around", { type: "integer" }),
          head_limit: count,
        },
        ["pattern"],
      ),
      fields: { context: "-C", max_results: "head_limit" },
      toOurs: searchOfGrep,
      toTheirs: grepOfSearch,
    },
  },
};

function rangeOfOffset(args: JsonObject): JsonObject {
  const { offset, limit } = args;
  if (!isCount(offset ?? 1) || !isCount(limit ?? 1) || (offset === undefined && limit === undefined)) return args;
  const start = Math.max(1, Number(offset ?? 1));
  const end = limit === undefined ? {} : { end_line: start + Number(limit) - 1 };
  return changed(args, ["offset", "limit"], { start_line: start, ...end });
}

function offsetOfRange(args: JsonObject): JsonObject {
  const { start_line: start, end_line: end } = args;
  if (start === undefined && end === undefined) return args;
  if (!isCount(start ?? 1) || !isCount(end ?? 1)) return args;
  const offset = Number(start ?? 1);
  const limit = end === undefined ? {} : { limit: Math.max(1, Number(end) - offset + 1) };
  return changed(args, ["start_line", "end_line"], { offset, ...limit });
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function secondsOfTimeout(args: JsonObject): JsonObject {
  const { timeout } = args;
  return typeof timeout === "number" && timeout > 0
    ? changed(args, ["timeout"], { timeout_seconds: Math.max(1, Math.ceil(timeout / 1000)) })
    : args;
}

function timeoutOfSeconds(args: JsonObject): JsonObject {
  const { timeout_seconds: seconds } = args;
  return typeof seconds === "number"
    ? changed(args, ["timeout_seconds"], { timeout: Math.round(seconds * 1000) })
    : args;
}

function searchOfGrep(args: JsonObject): JsonObject {
  const { glob, output_mode: mode, "-i": insensitive } = args;
  return changed(
    args,
    ["glob", "-i", ...(mode === "files_with_matches" || mode === "content" ? ["output_mode"] : [])],
    {
      ...(glob === undefined ? {} : { include_glob: Array.isArray(glob) ? glob : [glob] }),
      ...(insensitive === undefined ? {} : { case: insensitive === true ? "insensitive" : "sensitive" }),
      ...(mode === "files_with_matches" ? { output: "files" } : mode === "content" ? { output: "content" } : {}),
    },
  );
}

function grepOfSearch(args: JsonObject): JsonObject {
  const { include_glob: globs, case: sensitivity, output } = args;
  const glob = Array.isArray(globs) && globs.length === 1 ? globs[0] : globs;
  return changed(args, ["include_glob", "case", "output"], {
    ...(glob === undefined ? {} : { glob }),
    ...(sensitivity === "insensitive" ? { "-i": true } : {}),
    ...(output === "files"
      ? { output_mode: "files_with_matches" }
      : output === "content"
        ? { output_mode: output }
        : {}),
  });
}
