import { readFileSync } from "node:fs";

/**
 * Names the time since the machine was started: process numbers and start times of another such time say nothing.
 * @returns eight hex digits, or `undefined` where the system does not say (not Linux)
 */
export function readBootId(): string | undefined {
  try {
    const digits = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8);
    return /^[0-9a-f]{8}$/.test(digits) ? digits : undefined;
  } catch {
    return undefined;
  }
}
