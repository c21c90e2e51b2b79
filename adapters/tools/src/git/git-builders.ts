import { gitAdd, gitBranch, gitCheckout, gitCommit, gitRestore, gitStash } from "./changing-calls.ts";
import type { BuildGitCall } from "./git-call.ts";
import { gitBlame, gitDiff, gitLog, gitShow, gitStatus } from "./reading-calls.ts";

export type GitToolName =
  | "git_status"
  | "git_diff"
  | "git_restore"
  | "git_add"
  | "git_commit"
  | "git_log"
  | "git_branch"
  | "git_checkout"
  | "git_stash"
  | "git_show"
  | "git_blame";

export const gitBuilders: Readonly<Record<GitToolName, BuildGitCall>> = {
  git_status: gitStatus,
  git_diff: gitDiff,
  git_restore: gitRestore,
  git_add: gitAdd,
  git_commit: gitCommit,
  git_log: gitLog,
  git_branch: gitBranch,
  git_checkout: gitCheckout,
  git_stash: gitStash,
  git_show: gitShow,
  git_blame: gitBlame,
};
