import { readFileSync, readlinkSync } from "node:fs";
import type { HeldLease } from "@capstan/ports";

/** What can be said of a session's writer: it lives, it is gone, or it is out of sight (another machine or container). */
export type HolderState = "alive" | "gone" | "out-of-sight";

/** Looks a lease's owner up among the processes of this machine. */
export function holderState({ owner }: HeldLease): HolderState {
  const boot = bootId();
  if (boot !== undefined && owner.bootId !== boot) return "gone";
  if (owner.processNamespace !== processNamespace()) return "out-of-sight";
  const start = processStart(owner.processId);
  return start === owner.processStart ? "alive" : "gone";
}

function bootId(): string | undefined {
  return attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
}

function processNamespace(): string | undefined {
  return attempt(() => readlinkSync("/proc/self/ns/pid"));
}

/** Field 22 of `stat`; the name in brackets before it may hold anything. */
function processStart(processId: number): string | undefined {
  return attempt(() => {
    const text = readFileSync(`/proc/${processId}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  });
}

function attempt(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
