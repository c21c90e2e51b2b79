import { askGit } from "@capstan/git";
import { withTrustedPath } from "@capstan/tools";
import { surelyWithoutFilters } from "./git-configuration.ts";

/** Changed files that are named; more are counted. */
const maxNamedFiles = 20;

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

/** Nothing of the repository is started, not even of a trusted one. */
function runGit(args: readonly string[], cwd: string, signal: AbortSignal): Promise<string | undefined> {
  const { PATH: searchPath = "" } = withTrustedPath({ PATH: process.env["PATH"] ?? "" }, [cwd]);
  return askGit(args, { cwd, searchPath, environment: { HOME: process.env["HOME"] ?? "" }, signal });
}

/** File and branch names come from the repository: odd characters are shown, not obeyed. */
export function quoteGitName(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
