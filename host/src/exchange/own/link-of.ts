import { createHash } from "node:crypto";
import type { SessionEvent } from "@capstan/protocol";

/** What stands for a link before the first record. */
export const firstLink: string = "0".repeat(64);

/** The link of a record, worked out anew from the text that `ChainedEvent` describes: whoever has the file can check it. */
export function linkOf(previous: string, { seq, at, record }: SessionEvent): string {
  return createHash("sha256")
    .update(`${previous} ${seq} ${at} ${JSON.stringify(record)}`)
    .digest("hex");
}
