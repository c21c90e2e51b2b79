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

/** The tools of Gemini's agent, which Qwen's has, too. */
export const geminiProfile: ToolProfile = {
  hidden: {},
  forms: {
    read_file: {
      name: "read_file",
      description:
        "Read a UTF-8 text file. Lines come with their numbers and a tab, which are not part of the file. Needed before a file is changed.",
      inputSchema: fieldsOf({ file_path: text, start_line: said("From 1", count), end_line: said("Included", count) }, [
        "file_path",
      ]),
      fields: { path: "file_path" },
    },
    write_file: {
      name: "write_file",
      description:
        "Write a file with exactly this content; missing directories are made. A file that exists must have been read.",
      inputSchema: fieldsOf({ file_path: text, content: text }, ["file_path", "content"]),
      fields: { path: "file_path" },
      toOurs: (args) => ("file_path" in args ? { overwrite: true, ...args } : args),
      toTheirs: (args) => changed(args, ["overwrite"]),
    },
    edit_file: {
      name: "replace",
      description:
        "Replace old_string by new_string in a file that was read before. old_string must be the file's exact text without line numbers, and occur once, or as often as expected_replacements says.",
      inputSchema: fieldsOf(
        { file_path: text, old_string: text, new_string: text, expected_replacements: count, instruction: said("Why") },
        ["file_path", "old_string", "new_string"],
      ),
      fields: { path: "file_path" },
      toOurs: (args) => changed(args, ["instruction"]),
    },
    run_command: {
      name: "run_shell_command",
      description: `Run a shell command and wait for it: builds, tests, git. Not for reading, searching or editing files. The result begins with the exit code. ${shellRules}`,
      inputSchema: fieldsOf(
        {
          command: text,
          description: text,
          dir_path: said("Directory to run in"),
          timeout_seconds: { type: "number" },
          is_background: said("Start, do not wait", flag),
          ...reachFields,
        },
        ["command"],
      ),
      fields: { cwd: "dir_path", background: "is_background" },
      toOurs: (args) => changed(args, ["description"]),
      toTheirs: withCommandLine,
    },
    glob: {
      name: "glob",
      description: 'Find files by name, such as "**/*.ts". What .gitignore excludes is left out.',
      inputSchema: fieldsOf({ pattern: text, dir_path: said("Directory to start in") }, ["pattern"]),
      fields: { path: "dir_path" },
    },
    search: {
      name: "search_file_content",
      description:
        "Find lines in files by regular expression (Rust syntax, line by line). Binary files and what .gitignore excludes are skipped.",
      inputSchema: fieldsOf(
        {
          pattern: text,
          dir_path: text,
          include: said('Such as "*.ts"'),
          case_sensitive: flag,
          context: { type: "integer" },
        },
        ["pattern"],
      ),
      fields: { path: "dir_path" },
      toOurs: searchOfTheirs,
      toTheirs: theirsOfSearch,
    },
    list_directory: {
      name: "list_directory",
      description:
        "List a directory, directories with a slash behind. Long listings come in parts; a note says how to continue.",
      inputSchema: fieldsOf(
        { dir_path: text, ignore: said("Globs", { type: "array", items: text }), depth: count, offset: count },
        ["dir_path"],
      ),
      fields: { path: "dir_path" },
    },
  },
};

function searchOfTheirs(args: JsonObject): JsonObject {
  const { include, case_sensitive: sensitive } = args;
  return changed(args, ["include", "case_sensitive"], {
    ...(include === undefined ? {} : { include_glob: Array.isArray(include) ? include : [include] }),
    ...(sensitive === undefined ? {} : { case: sensitive === true ? "sensitive" : "insensitive" }),
  });
}

function theirsOfSearch(args: JsonObject): JsonObject {
  const { include_glob: globs, case: sensitivity } = args;
  const include = Array.isArray(globs) && globs.length === 1 ? globs[0] : globs;
  return changed(args, ["include_glob", "case"], {
    ...(include === undefined ? {} : { include }),
    ...(sensitivity === "sensitive" || sensitivity === "insensitive"
      ? { case_sensitive: sensitivity === "sensitive" }
      : {}),
  });
}
