import { execFile } from "node:child_process";
import { inertGit } from "@capstan/git";
import { AppError } from "@capstan/protocol";
import { gitOutputBytes, gitWorkMs } from "../limits.ts";

/** Where git works. */
export interface GitWork {
  /** Absolute. */
  readonly cwd: string;
  readonly searchPath: string;
  /** The user's home, and where their settings are. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
}

/** Runs git where nothing of a repository is run: no hook, no monitor. @throws AppError where it cannot be started or takes too long */
export async function runGit(args: readonly string[], { cwd, searchPath, environment }: GitWork): Promise<GitAnswer> {
  const { GIT_OPTIONAL_LOCKS: _locks, ...inert } = inertGit.environment;
  const options = {
    cwd,
    env: { ...environment, PATH: searchPath, ...inert },
    timeout: gitWorkMs,
    maxBuffer: gitOutputBytes,
  };
  return await new Promise((resolve, reject) => {
    execFile("git", [...inertGit.settings, ...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout });
      if (typeof error.code === "number") return resolve({ code: error.code, stdout: stdout === "" ? stderr : stdout });
      reject(new AppError("tool.failed", `git ${args[0] ?? ""} did not come to its end: ${error.message}`));
    });
  });
}

/** What it writes, without the last line's end. @throws AppError where it fails */
export async function gitText(args: readonly string[], work: GitWork): Promise<string> {
  const { code, stdout } = await runGit(args, work);
  if (code === 0) return stdout.replace(/\n$/, "");
  throw new AppError(
    "tool.failed",
    `git ${args.slice(0, 2).join(" ")} failed: ${stdout.trim().split("\n").at(-1) ?? ""}`,
  );
}
