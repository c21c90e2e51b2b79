import { execFile } from "node:child_process";
import { gitTimeoutMs, maxOutputBytes } from "./limits.ts";

/** Where git is asked, and what it finds there. */
export interface GitPlace {
  /** Absolute. */
  readonly cwd: string;
  /** Where `git` is looked for: nothing that a repository could have put something in. */
  readonly searchPath: string;
  /** Further variables: the user's home, and where their settings are. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Keeps a repository's own configuration from running anything (hooks, monitors, filters' prompts) while we look. */
const settings: readonly string[] = [
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

const inertEnvironment: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  // An object that is missing is never fetched: the repository says from where, and with which program.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "",
  LC_ALL: "C",
};

/** For whoever starts git by themselves: what stands before the subcommand, and variables. */
export const inertGit: {
  readonly settings: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
} = { settings, environment: inertEnvironment };

/** What git writes; `undefined` when it fails, is not there or takes too long. That it finds nothing (exit code 1) is an answer. */
export function askGit(
  args: readonly string[],
  { cwd, searchPath, environment, signal }: GitPlace,
): Promise<string | undefined> {
  const env = { ...environment, PATH: searchPath, ...inertEnvironment };
  const options = { cwd, env, timeout: gitTimeoutMs, maxBuffer: maxOutputBytes };
  return new Promise((resolve) => {
    const take = (error: { readonly code?: unknown } | null, stdout: string): void =>
      resolve(error === null || error.code === 1 ? stdout : undefined);
    try {
      execFile("git", [...settings, ...args], signal === undefined ? options : { ...options, signal }, take);
    } catch {
      // Some of what keeps a program from starting is thrown at once.
      resolve(undefined);
    }
  });
}
