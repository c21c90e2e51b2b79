/**
 * Names other agents give to these tools; models carry them over. Accepted on input only, by canonical name.
 * Matching falls back to ignoring case, so only spellings that differ in more than case are listed, next to the exact ones.
 */
export const toolAliases: Readonly<Record<string, readonly string[]>> = {
  read_file: ["Read", "read", "file_read", "ReadFile", "view", "View", "cat", "view_file", "open_file"],
  write_file: ["Write", "write", "file_write", "WriteFile", "create_file", "file_create"],
  // `Edit` takes old_string and new_string in nearly every agent; the one that means a patch by it sends a field `patch`.
  edit_file: ["Edit", "edit", "file_edit", "EditFile", "str_replace", "replace_in_file", "replace"],
  apply_patch: ["ApplyPatch", "patch", "Patch", "apply_diff"],
  run_command: [
    "Run",
    "run",
    "Pwsh",
    "pwsh",
    "shell",
    "Shell",
    "bash",
    "Bash",
    "sh",
    "RunCommand",
    "local_shell",
    "run_shell_command",
    "run_terminal_cmd",
    "execute_command",
    "exec",
    "exec_command",
    "terminal",
  ],
  glob: ["Glob", "find_files", "file_glob", "list_files", "glob_file_search"],
  search: [
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
};
