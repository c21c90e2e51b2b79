import type { DialectRow } from "./dialect-row.ts";

const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
const below = "*** Begin Patch\n*** Delete File: src/a\n*** End Patch";

/** Calls as OpenAI's agents write them. */
export const codexRows: readonly DialectRow[] = [
  {
    from: "Codex",
    name: "shell",
    arguments: { command: ["bash", "-lc", "ls"], workdir: "src", timeout_ms: 1500, justification: "why" },
    tool: "run_command",
    becomes: { argv: ["bash", "-lc", "ls"], cwd: "src", timeout_seconds: 2 },
  },
  {
    from: "Codex",
    name: "shell",
    arguments: { command: ["apply_patch", patch] },
    tool: "apply_patch",
    becomes: { patch },
  },
  {
    from: "Codex",
    name: "shell",
    arguments: { command: ["bash", "-lc", `cd src && apply_patch <<'EOF'\n${patch}\nEOF`] },
    tool: "apply_patch",
    becomes: { patch: below },
  },
  {
    from: "Codex",
    name: "shell",
    arguments: { command: `apply_patch <<EOF\n${patch}\nEOF\n`, workdir: "src" },
    tool: "apply_patch",
    becomes: { patch: below },
  },
  {
    from: "Codex",
    name: "shell",
    arguments: { command: `apply_patch '${patch}'` },
    tool: "apply_patch",
    becomes: { patch },
  },
  {
    from: "Codex",
    name: "shell",
    arguments: { command: "ls", with_escalated_permissions: true, justification: "why" },
    tool: "run_command",
    becomes: { command: "ls", outside_sandbox: true, justification: "why" },
  },
  {
    from: "Codex",
    name: "shell_command",
    arguments: { command: "ls -la", workdir: "src", login: true },
    tool: "run_command",
    becomes: { command: "ls -la", cwd: "src" },
  },
  {
    from: "Codex",
    name: "exec_command",
    arguments: { cmd: "ls", workdir: "src", yield_time_ms: 1000, max_output_tokens: 100 },
    tool: "run_command",
    becomes: { command: "ls", cwd: "src" },
  },
  {
    from: "Codex",
    name: "local_shell",
    arguments: { action: { type: "exec", command: ["ls", "-l"], working_directory: "src", timeout_ms: 1000 } },
    tool: "run_command",
    becomes: { argv: ["ls", "-l"], cwd: "src", timeout_seconds: 1 },
  },
  {
    from: "Codex",
    name: "container.exec",
    arguments: { cmd: ["ls"], workdir: "src" },
    tool: "run_command",
    becomes: { argv: ["ls"], cwd: "src" },
  },
  { from: "Codex", name: "apply_patch", arguments: { input: patch }, tool: "apply_patch", becomes: { patch } },
  {
    from: "Codex",
    name: "list_dir",
    arguments: { dir_path: "src", offset: 1, limit: 25, depth: 2 },
    tool: "list_directory",
    becomes: { path: "src", offset: 1, limit: 25, depth: 2 },
  },
  {
    from: "Codex",
    name: "functions.shell",
    arguments: { command: ["ls"] },
    tool: "run_command",
    becomes: { argv: ["ls"] },
  },
  {
    from: "gpt-oss",
    name: "functions.read_file<|channel|>commentary",
    arguments: { path: "a" },
    tool: "read_file",
    becomes: { path: "a" },
  },
];
