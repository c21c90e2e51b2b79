/** Where git is asked. */
export interface GitWhere {
  /** Absolute, real. */
  readonly cwd: string;
  /** Where `git` is looked for: nothing that a repository could have put something in. */
  readonly searchPath: string;
}

/** What git is asked, and how much of an answer is taken. */
export interface GitRequest extends GitWhere {
  /** From the subcommand on; no option of git's own before it. */
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
}

export interface GitAnswer {
  /** `null`: it was ended. */
  readonly exitCode: number | null;
  readonly isTimedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly isStdoutCut: boolean;
  readonly isStderrCut: boolean;
}

/**
 * Git, used so that nothing of a repository runs: no hook, filter, driver, monitor, alias, pager or editor that its configuration names.
 *
 * Contract:
 * - `read` changes nothing, not even the index. @throws the signal's reason; the system's error where there is no git
 * - `inertVariables` does the same for a git that somebody else starts there: variables that outweigh the repository's configuration as it is now.
 */
export interface Git {
  read(request: GitRequest, signal: AbortSignal): Promise<GitAnswer>;
  inertVariables(where: GitWhere, signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
}
