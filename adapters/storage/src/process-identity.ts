import { readFileSync, readlinkSync } from "node:fs";
import { uptime } from "node:os";
import type { LeaseOwner } from "@capstan/ports";

type ProcessIdentity = Pick<LeaseOwner, "processId" | "processStart" | "bootId" | "processNamespace">;

/** This process, named so that no later one can be taken for it. Where the system does not say, the parts are empty. */
export function processIdentity(): ProcessIdentity {
  return {
    processId: process.pid,
    processStart: startOf("self")?.ticks ?? "",
    bootId: readText("/proc/sys/kernel/random/boot_id"),
    processNamespace: readLink("/proc/self/ns/pid"),
  };
}

/**
 * Whether a process still runs. `unknown`: it cannot be seen from here (another container, or a system that does not say).
 * A dead process that nobody has collected is gone.
 */
export function lookFor(owner: ProcessIdentity): "running" | "gone" | "unknown" {
  const here = processIdentity();
  if (owner.bootId !== here.bootId) return "gone";
  if (owner.processNamespace !== here.processNamespace) return "unknown";
  if (here.processStart === "") return isSignalled(owner.processId) ? "unknown" : "gone";
  const found = startOf(String(owner.processId));
  return found === undefined || found.ticks !== owner.processStart || found.isDead ? "gone" : "running";
}

/** ms since the machine was started, sleep included: no clock that anybody can set. */
export function bootTimeMs(): number {
  return Math.round(uptime() * 1000);
}

/** Start time (field 22) and state (field 3) of a process. The name, in parentheses, may hold anything. */
function startOf(processName: string): { readonly ticks: string; readonly isDead: boolean } | undefined {
  const text = readText(`/proc/${processName}/stat`);
  const fields = text.slice(text.lastIndexOf(") ") + 2).split(" ");
  const [state = ""] = fields;
  const ticks = fields[19];
  return text === "" || ticks === undefined ? undefined : { ticks, isDead: state === "Z" || state === "X" };
}

function isSignalled(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
