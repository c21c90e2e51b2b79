import { randomBytes } from "node:crypto";
import { readBootId } from "./boot-id.ts";

/** What a run's id says: when and in which uptime of the machine it was made. */
export interface RunOrigin {
  readonly mintedAtMs: number;
  readonly bootId: string | undefined;
}

/** A name for one run of a command: nobody can guess it, and it is safe as a file's name. */
export function mintRunId(nowMs: number): string {
  return `${nowMs.toString(36)}-${readBootId() ?? noBootId}-${randomBytes(12).toString("hex")}`;
}

/** @returns `undefined` for what is no run's id, and must not become part of a path */
export function readRunId(runId: string): RunOrigin | undefined {
  const [, minted = "", boot] = /^([0-9a-z]{1,9})-([0-9a-f]{8}|none)-[0-9a-f]{24}$/.exec(runId) ?? [];
  if (boot === undefined) return undefined;
  return { mintedAtMs: Number.parseInt(minted, 36), bootId: boot === noBootId ? undefined : boot };
}

const noBootId = "none";
