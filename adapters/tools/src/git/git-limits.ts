import type { JsonObject } from "@capstan/protocol";
import { count } from "./git-arguments.ts";
import {
  maxGitBytes,
  maxTimeoutMs,
  minTimeoutMs,
  usualStderrBytes,
  usualStdoutBytes,
  usualTimeoutMs,
} from "./limits.ts";

export interface GitLimits {
  readonly timeoutMs: number;
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
}

/** What a call asks for, within what may be asked for. */
export function gitLimits(args: JsonObject): GitLimits {
  const stdout = count(args, "max_stdout_bytes") ?? count(args, "max_bytes") ?? usualStdoutBytes;
  return {
    timeoutMs: Math.min(maxTimeoutMs, Math.max(minTimeoutMs, count(args, "timeout_ms") ?? usualTimeoutMs)),
    maxStdoutBytes: Math.min(maxGitBytes, Math.max(1, stdout)),
    maxStderrBytes: Math.min(maxGitBytes, Math.max(1, count(args, "max_stderr_bytes") ?? usualStderrBytes)),
  };
}
