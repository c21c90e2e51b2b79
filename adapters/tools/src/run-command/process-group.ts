import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { groupGoneMs, groupPollMs } from "./limits.ts";

/** @returns whether there was anyone left to receive the signal */
export function signalGroup(leader: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends what is left of a group after its leader is gone.
 * @returns whether there was anything left
 */
export async function endGroup(leader: number): Promise<boolean> {
  if (!(await isAlive(leader))) return false;
  signalGroup(leader, "SIGKILL");
  for (let waited = 0; waited < groupGoneMs && (await isAlive(leader)); waited += groupPollMs) await delay(groupPollMs);
  return true;
}

/** In a container nobody may collect the dead: zombies can be sent signals for ever, and must not be waited for. */
async function isAlive(leader: number): Promise<boolean> {
  if (!signalGroup(leader, 0)) return false;
  if (process.platform !== "linux") return true;
  const entries = await readdir("/proc").catch(() => []);
  const processes = entries.filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(processes.map(async (name) => await isLivingMember(name, leader)));
  return found.includes(true);
}

async function isLivingMember(processId: string, leader: number): Promise<boolean> {
  const status = await readFile(`/proc/${processId}/stat`, "utf8").catch(() => "");
  // The name, in parentheses, may hold anything; state, parent and group follow it.
  const [state, , group] = status.slice(status.lastIndexOf(") ") + 2).split(" ");
  return Number(group) === leader && state !== "Z" && state !== "X";
}
