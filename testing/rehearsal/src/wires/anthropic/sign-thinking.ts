import { createHash } from "node:crypto";

/** The signature this server puts under a thinking text. It follows from the text alone, so any restart still knows its own. */
export function signThinking(thinking: string): string {
  return createHash("sha256").update("capstan rehearsal\n").update(thinking).digest("base64");
}
