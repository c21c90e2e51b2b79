/** For one call (ms). */
export const usualTimeoutMs = 30_000;
export const minTimeoutMs = 100;
export const maxTimeoutMs = 300_000;

/** Bytes of what git writes. */
export const usualStdoutBytes = 200_000;
export const usualStderrBytes = 100_000;
export const maxGitBytes = 5_000_000;
