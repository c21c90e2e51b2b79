import { execFile } from "node:child_process";
import { withTrustedPath } from "@capstan/tools";
import { surelyWithoutFilters } from "./git-configuration.ts";

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
    "safe.bareRepository=explicit",
  ].flatMap((setting) => ["-c", setting]),
];

/** Branch and changed files of a trusted repository as text for the model; `undefined` outside a repository or without git. */
export async function gitFacts(cwd: string, signal: AbortSignal): Promise<string | undefined> {
  if (surelyWithoutFilters(cwd)) return statusFacts(cwd, signal);
  const filters = await runGit(
    ["config", "--show-scope", "--null", "--name-only", "--get-regexp", "^filter\\."],
    cwd,
    signal,
  );
  if (filters === undefined) return undefined;
  return namesOwnFilter(filters) ? branchFacts(cwd, signal) : statusFacts(cwd, signal);
}

/** To compare files git runs the filters that are configured. The user's own are theirs; those of a repository are anybody's. */
function namesOwnFilter(scopesAndNames: string): boolean {
  const scopes = scopesAndNames.split("\0").filter((_, index) => index % 2 === 0);
  return scopes.some((scope) => scope !== "" && scope !== "global" && scope !== "system");
}

async function branchFacts(cwd: string, signal: AbortSignal): Promise<string | undefined> {
  const branch = await runGit(["branch", "--show-current"], cwd, signal);
  if (branch === undefined) return undefined;
  const name = branch.trim() === "" ? "HEAD (no branch)" : branch.trim();
  return `Git: branch ${quoteGitName(name)}; uncommitted changes were not looked at, because to compare files git would run filters that the repository configures.`;
}

async function statusFacts(cwd: string, signal: AbortSignal): Promise<string | undefined> {
  const status = await runGit(
    [
      "status",
      "--porcelain=v1",
      "--branch",
      "--untracked-files=normal",
      "--ignore-submodules=all",
      // A renamed file would be two entries, the second without a mark.
      "--no-renames",
      "-z",
    ],
    cwd,
    signal,
  );
  if (status === undefined) return undefined;
  const [head = "", ...entries] = status.split("\0").filter((entry) => entry !== "");
  const branch = head.replace(/^## (No commits yet on )?/, "").replace(/\.\.\..*$/, "");
  if (entries.length === 0) return `Git: branch ${quoteGitName(branch)}, no uncommitted changes.`;
  const named = entries.slice(0, maxNamedFiles).map(quoteGitName).join("\n");
  const more = entries.length > maxNamedFiles ? `\n… and ${entries.length - maxNamedFiles} more` : "";
  return `Git: branch ${quoteGitName(branch)}, uncommitted changes:\n${named}${more}`;
}

/** What git writes; `undefined` when it fails. That it finds nothing (exit code 1) is an answer. */
function runGit(args: readonly string[], cwd: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = {
      // Nothing of the repository is started, not even of a trusted one.
      ...withTrustedPath({ PATH: process.env["PATH"] ?? "" }, [cwd]),
      HOME: process.env["HOME"] ?? "",
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
      // An object that is missing is never fetched: the repository says from where, and with which program.
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: "",
      LC_ALL: "C",
    };
    execFile(
      "git",
      [...inertGit, ...args],
      { cwd, env, signal, timeout: gitTimeoutMs, maxBuffer: maxOutputBytes },
      (error, stdout) => {
        resolve(error === null || error.code === 1 ? stdout : undefined);
      },
    );
  });
}

/** File and branch names come from the repository: odd characters are shown, not obeyed. */
export function quoteGitName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
