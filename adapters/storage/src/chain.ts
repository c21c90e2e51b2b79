import { hash } from "node:crypto";

/** What stands for a link before the first record. */
export const firstLink: string = "0".repeat(64);

/**
 * The link of a record that is kept (`ChainedEvent` says of what text). Link, number and time hold no space, so that no two
 * records make the same text.
 * @param body  the record as JSON, as it is stored
 */
export function nextLink(
  previous: string,
  { seq, at, body }: { readonly seq: number; readonly at: number; readonly body: string },
): string {
  return hash("sha256", `${previous} ${seq} ${at} ${body}`, "hex");
}
