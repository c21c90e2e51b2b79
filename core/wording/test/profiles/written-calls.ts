import type { JsonObject, ToolProfileName } from "@capstan/protocol";

/** A call as models of a profile write it, and what it means in our words. */
export interface WrittenSample {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly freeform?: true;
  readonly ours: { readonly name: string; readonly arguments: JsonObject };
}

const edit = { old_string: "a", new_string: "b" };
const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";

/** Every form of every profile, and calls by our own names. */
export const writtenSamples: Readonly<Record<ToolProfileName, readonly WrittenSample[]>> = {
  own: [
    { name: "read_file", arguments: { path: "a" }, ours: { name: "read_file", arguments: { path: "a" } } },
    { name: "Bash", arguments: { command: "ls" }, ours: { name: "Bash", arguments: { command: "ls" } } },
  ],
  anthropic: [
    { name: "Read", arguments: { file_path: "a" }, ours: { name: "read_file", arguments: { path: "a" } } },
    {
      name: "Read",
      arguments: { file_path: "a", offset: 3, limit: 2 },
      ours: { name: "read_file", arguments: { path: "a", start_line: 3, end_line: 4 } },
    },
    {
      name: "Read",
      arguments: { file_path: "a", limit: 9 },
      ours: { name: "read_file", arguments: { path: "a", start_line: 1, end_line: 9 } },
    },
    {
      name: "Write",
      arguments: { file_path: "a", content: "x" },
      ours: { name: "write_file", arguments: { overwrite: true, path: "a", content: "x" } },
    },
    {
      name: "Edit",
      arguments: { file_path: "a", ...edit, replace_all: true },
      ours: { name: "edit_file", arguments: { path: "a", ...edit, replace_all: true } },
    },
    {
      name: "Bash",
      arguments: { command: "ls", description: "List", timeout: 1500 },
      ours: { name: "run_command", arguments: { command: "ls", timeout_seconds: 2 } },
    },
    {
      name: "Bash",
      arguments: { command: "ls", network: ["a.example"] },
      ours: { name: "run_command", arguments: { command: "ls", network: ["a.example"] } },
    },
    {
      name: "Glob",
      arguments: { pattern: "**/*.ts", path: "src" },
      ours: { name: "glob", arguments: { pattern: "**/*.ts", path: "src" } },
    },
    {
      name: "Grep",
      arguments: { pattern: "x", glob: "*.ts", "-i": true, "-C": 2, output_mode: "files_with_matches", head_limit: 5 },
      ours: {
        name: "search",
        arguments: {
          pattern: "x",
          context: 2,
          max_results: 5,
          include_glob: ["*.ts"],
          case: "insensitive",
          output: "files",
        },
      },
    },
    { name: "read_file", arguments: { path: "a" }, ours: { name: "read_file", arguments: { path: "a" } } },
    { name: "mcp__x__y", arguments: { a: 1 }, ours: { name: "mcp__x__y", arguments: { a: 1 } } },
  ],
  openai: [
    {
      name: "shell",
      arguments: { command: ["ls", "-l"], workdir: "src", timeout_ms: 1500 },
      ours: { name: "run_command", arguments: { cwd: "src", argv: ["ls", "-l"], timeout_seconds: 2 } },
    },
    {
      name: "shell",
      arguments: { command: ["bash", "-lc", "ls | wc"] },
      ours: { name: "run_command", arguments: { argv: ["bash", "-lc", "ls | wc"] } },
    },
    { name: "shell", arguments: { command: "ls" }, ours: { name: "run_command", arguments: { command: "ls" } } },
    {
      name: "apply_patch",
      arguments: { input: patch },
      freeform: true,
      ours: { name: "apply_patch", arguments: { patch } },
    },
    { name: "apply_patch", arguments: { input: patch }, ours: { name: "apply_patch", arguments: { patch } } },
    {
      name: "edit_file",
      arguments: { path: "a", ...edit },
      ours: { name: "edit_file", arguments: { path: "a", ...edit } },
    },
  ],
  gemini: [
    {
      name: "read_file",
      arguments: { file_path: "a", start_line: 2 },
      ours: { name: "read_file", arguments: { path: "a", start_line: 2 } },
    },
    { name: "read_file", arguments: { path: "a" }, ours: { name: "read_file", arguments: { path: "a" } } },
    {
      name: "write_file",
      arguments: { file_path: "a", content: "x" },
      ours: { name: "write_file", arguments: { overwrite: true, path: "a", content: "x" } },
    },
    {
      name: "replace",
      arguments: { file_path: "a", ...edit, expected_replacements: 2, instruction: "why" },
      ours: { name: "edit_file", arguments: { path: "a", ...edit, expected_replacements: 2 } },
    },
    {
      name: "run_shell_command",
      arguments: { command: "ls", dir_path: "src", description: "List" },
      ours: { name: "run_command", arguments: { command: "ls", cwd: "src" } },
    },
    {
      name: "search_file_content",
      arguments: { pattern: "x", dir_path: "src", include: "*.ts", case_sensitive: false },
      ours: { name: "search", arguments: { pattern: "x", path: "src", include_glob: ["*.ts"], case: "insensitive" } },
    },
    {
      name: "glob",
      arguments: { pattern: "*", dir_path: "src" },
      ours: { name: "glob", arguments: { pattern: "*", path: "src" } },
    },
    {
      name: "list_directory",
      arguments: { dir_path: "src" },
      ours: { name: "list_directory", arguments: { path: "src" } },
    },
  ],
};
