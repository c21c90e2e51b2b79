import { execFile } from "node:child_process";

/** Time for git to answer; a slow repository must not hold up the turn. */
const gitTimeoutMs = 2000;
/** Changed files that are named; more are counted. */
const maxNamedFiles = 20;
const maxOutputBytes = 256 * 1024;

/** Keeps a repository's own configuration from running anything (hooks, monitors, filters' prompts) while we look. */
const inertGit: readonly string[] = [
  "--no-optional-locks",
  "--no-pager",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** Branch and changed files as text for the model; `undefined` outside a repository or without git. */
export async function gitFacts(cwd: string, signal: AbortSignal): Promise<string | undefined> {
  const status = await runGit(
    ["status", "--porcelain=v1", "--branch", "--untracked-files=normal", "--ignore-submodules=all", "-z"],
    cwd,
    signal,
  );
  if (status === undefined) return undefined;
  const [head = "", ...entries] = status.split("\0").filter((entry) => entry !== "");
  const branch = head.replace(/^## (No commits yet on )?/, "").replace(/\.\.\..*$/, "");
  if (entries.length === 0) return `Git: branch ${quote(branch)}, no uncommitted changes.`;
  const named = entries.slice(0, maxNamedFiles).map(quote).join("\n");
  const more = entries.length > maxNamedFiles ? `\n… and ${entries.length - maxNamedFiles} more` : "";
  return `Git: branch ${quote(branch)}, uncommitted changes:\n${named}${more}`;
}

function runGit(args: readonly string[], cwd: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
      LC_ALL: "C",
    };
    execFile(
      "git",
      [...inertGit, ...args],
      { cwd, env, signal, timeout: gitTimeoutMs, maxBuffer: maxOutputBytes },
      (error, stdout) => {
        resolve(error === null ? stdout : undefined);
      },
    );
  });
}

/** File and branch names come from the repository: odd characters are shown, not obeyed. */
function quote(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
