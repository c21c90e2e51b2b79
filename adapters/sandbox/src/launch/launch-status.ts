import { fstatSync, readSync } from "node:fs";
import { isJsonObject, type JsonValue } from "@capstan/protocol";

/** What `bwrap` has written of the process it started. */
export interface LaunchStatus {
  readonly pid?: number;
  /** Where the process has a process namespace of its own. */
  readonly namespace?: string;
}

/** @param descriptor  what `bwrap` was given as `--info-fd` */
export function readLaunchStatus(descriptor: number): LaunchStatus {
  const bytes = Buffer.alloc(Math.min(fstatSync(descriptor).size, maxStatusBytes));
  const status = parseStatus(bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, 0)));
  if (!isJsonObject(status)) return {};
  const { "child-pid": pid, "pid-namespace": namespace } = status;
  return {
    ...(typeof pid === "number" ? { pid } : {}),
    ...(typeof namespace === "number" ? { namespace: String(namespace) } : {}),
  };
}

/** `bwrap` writes a few lines. */
const maxStatusBytes = 4_096;

function parseStatus(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // It did not come so far.
    return undefined;
  }
}
