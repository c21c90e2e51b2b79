import { askProcesses, killProcesses } from "../processes/end-processes.ts";
import { readProcessStat } from "../processes/process-stat.ts";
import { scanProcesses } from "../processes/scan-processes.ts";
import { readBootId } from "../runs/boot-id.ts";
import type { RunOrigin } from "../runs/run-id.ts";
import type { KnownStatus } from "../runs/status-folder.ts";

/** What became of the processes of a run whose Capstan died. */
export type Leftovers = "none" | "ended" | "persistent" | "unknown";

/** Asks what still runs of it to end, and makes it. A process that only has the number of one of ours is left alone. */
export async function endLeftovers(runId: string, origin: RunOrigin, status: KnownStatus): Promise<Leftovers> {
  const bootId = readBootId();
  // Without a name for the uptime there is no /proc to look at, either.
  if (bootId === undefined) return "unknown";
  if (origin.bootId !== bootId) return "none";
  const traits = { group: groupOf(status, bootId), runId, first: undefined };
  if (scanProcesses(traits).found.length === 0) {
    return (await killProcesses(traits)).found ? "ended" : "none";
  }
  await askProcesses(traits);
  return (await killProcesses(traits)).gone ? "ended" : "persistent";
}

/** As long as the leader exists, even as a zombie, its number stands for its group. */
function groupOf(status: KnownStatus, bootId: string): number | undefined {
  if (status.type !== "running" || status.bootId !== bootId || status.startTicks === null) return undefined;
  return readProcessStat(status.pid)?.startTicks === status.startTicks ? status.pid : undefined;
}
