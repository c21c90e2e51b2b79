import type { ToolFamily } from "@capstan/protocol";

/** Written by `npm run docs` from the tools' definitions in `adapters/tools/src/definitions`, in their order. */
export const toolFamilies: readonly ToolFamily[] = [
  {
    tool: "read_file",
    names: ["read", "view"],
    pattern: "path",
    contents: "read",
  },
  {
    tool: "write_file",
    names: ["create_file", "edit", "write", "multi_edit", "patch"],
    pattern: "path",
    contents: "written",
  },
  {
    tool: "edit_file",
    names: ["str_replace", "edit", "write", "multi_edit", "patch"],
    pattern: "path",
    contents: "written",
  },
  {
    tool: "apply_patch",
    names: ["edit", "write", "multi_edit", "patch"],
    pattern: "path",
    contents: "written",
  },
  {
    tool: "run_command",
    names: ["run", "bash", "shell", "sh", "pwsh", "powershell", "terminal", "exec"],
    pattern: "command",
    contents: "untouched",
  },
  {
    tool: "command_output",
    names: ["bash_output"],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "stop_command",
    names: ["kill_shell"],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "glob",
    names: [],
    pattern: "path",
    contents: "untouched",
  },
  {
    tool: "search",
    names: ["grep", "rg", "ripgrep", "ug", "ugrep"],
    pattern: "path",
    contents: "read",
  },
  {
    tool: "list_directory",
    names: ["ls", "list", "list_dir"],
    pattern: "path",
    contents: "untouched",
  },
  {
    tool: "read_many_files",
    names: ["read", "view"],
    pattern: "path",
    contents: "read",
  },
  {
    tool: "ask_user",
    names: ["ask_user_question"],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "update_plan",
    names: ["todo_write"],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "exit_plan_mode",
    names: [],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "recall",
    names: ["memory_recall"],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "remember",
    names: ["memory", "save_memory", "memory_record"],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "skill",
    names: [],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "spawn_agent",
    names: ["Task", "Agent"],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "search_tools",
    names: ["tool_search"],
    pattern: "none",
    contents: "untouched",
  },
  {
    tool: "web_fetch",
    names: ["fetch"],
    pattern: "host",
    contents: "untouched",
  },
  {
    tool: "web_search",
    names: [],
    pattern: "host",
    contents: "untouched",
  },
];
