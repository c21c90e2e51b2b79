/** How a turn ended. The word, not prose, sets the exit code of a headless run. */
export type TurnOutcome =
  | "done"
  /** Changes of files were proposed, and wait for somebody who applies or refuses them. */
  | "proposed"
  | "error"
  | "tool-denied"
  | "limit-reached"
  | "loop-detected"
  | "provider-failed"
  | "outcome-unknown"
  | "parked"
  | "timeout"
  | "interrupted"
  | "terminated";

/** Process exit codes by outcome (ARCHITECTURE.md, "The command line"). 2 is kept for usage and configuration errors. */
export const exitCodes: Readonly<Record<TurnOutcome, number>> = {
  done: 0,
  proposed: 0,
  error: 1,
  "tool-denied": 3,
  "limit-reached": 4,
  "loop-detected": 4,
  "provider-failed": 5,
  "outcome-unknown": 6,
  parked: 7,
  timeout: 124,
  interrupted: 130,
  terminated: 143,
};

/** Exit code of wrong flags and invalid configuration. */
export const usageExitCode = 2;
