/** Files and folders that agents obey, and git's own. */
const agentNames: readonly string[] = [
  ".git",
  ".gitmodules",
  ".capstan",
  ".claude",
  ".agents",
  ".codex",
  ".cursor",
  ".gemini",
  ".mcp.json",
  "AGENTS.md",
  "AGENTS.local.md",
  "CLAUDE.md",
  "CLAUDE.local.md",
  "GEMINI.md",
  "GEMINI.local.md",
];

/** Editors run or obey what these hold. */
const editorNames: readonly string[] = [".vscode", ".idea"];

/** Run or obeyed by further agents, by editors, by shells that enter the folder, and by git through what installs its hooks. */
const otherNames: readonly string[] = [
  ".cursorrules",
  ".windsurf",
  ".windsurfrules",
  ".clinerules",
  ".roo",
  ".roorules",
  ".continue",
  ".aider.conf.yml",
  ".zed",
  ".fleet",
  ".devcontainer",
  ".devcontainer.json",
  ".envrc",
  ".husky",
  ".githooks",
];

/**
 * Files and folders that instruct agents, git and editors what to do or run, as they are usually spelled: no tool and no command
 * changes them unasked, wherever they lie. One list for file tools, sandbox and what is reported after a command.
 */
export const governingNames: readonly string[] = [...agentNames, ...editorNames, ...otherNames];

/** Whether a name is such a one, as a file system that folds case and drops what cannot be seen would read it. */
export function isGoverningName(name: string): boolean {
  return bareNames.has(bareName(name));
}

/** Whether something in a path is, or is a part of a repository without a working tree: git runs what its hooks hold. */
export function governsByPath(path: string): boolean {
  const parts = path.split("/");
  const names = parts.map(bareName);
  return names.some(
    (name, at) =>
      bareNames.has(name) ||
      (name === "head" && parts[at]?.length === name.length && at === names.length - 1) ||
      (hookNames.has(name) && names[at - 1] === "hooks"),
  );
}

/** Every hook of githooks(5). */
const hookNames: ReadonlySet<string> = new Set(
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change".split(
    " ",
  ),
);

/** Without case, without what has no width, without dots and blanks at the end. */
function bareName(part: string): string {
  return part
    .normalize("NFKC")
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
    .toLowerCase()
    .replace(/[. ]+$/, "");
}

const bareNames: ReadonlySet<string> = new Set(governingNames.map(bareName));
