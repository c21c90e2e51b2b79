/**
 * The variable every process of a command carries in its environment, so that those that left the process group (setsid,
 * nohup, daemons) are found as well. It names the run and is no secret.
 *
 * Who empties or overwrites its environment, or forbids reading it, *and* leaves the group is not found; only a sandbox
 * with a process namespace of its own can hold that one.
 */
export const runVariable = "CAPSTAN_RUN";

export function markOf(runId: string): string {
  return `${runVariable}=${runId}`;
}
