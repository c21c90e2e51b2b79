import { AppError, type ErrorCode, usageExitCode } from "@capstan/protocol";

/** Errors a user corrects by writing something else: flags, configuration, names. */
const usagePrefixes: readonly string[] = [
  "usage.",
  "config.",
  "model.",
  "session.unknown",
  "session.ambiguous",
  "quarantine.not-found",
  "rehearsal.scenario",
];

/** The exit code of a command that failed before or outside a turn. */
export function exitCodeOf(error: unknown): number {
  return error instanceof AppError && isUsage(error.code) ? usageExitCode : 1;
}

function isUsage(code: ErrorCode): boolean {
  // A key that is not set is found before anyone is asked: a matter of configuration.
  return code === "provider.auth" || usagePrefixes.some((prefix) => code.startsWith(prefix));
}
