import { createHash } from "node:crypto";

/** What stands for a link before the first record. */
export const firstLink: string = "0".repeat(64);

/** The link of a record, recomputed from the text that `ChainedEvent` describes: whoever has the file can check it. */
export function linkOf(previous: string, { seq, at, stored }: StoredEvent): string {
  return createHash("sha256")
    .update(`${previous} ${seq} ${at} ${JSON.stringify(stored)}`)
    .digest("hex");
}

/** A record as a file has it, in the version in which it was written. */
export interface StoredEvent {
  readonly seq: number;
  readonly at: number;
  readonly stored: object;
}
