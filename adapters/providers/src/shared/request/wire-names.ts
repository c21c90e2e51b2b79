import { createHash } from "node:crypto";
import { limits } from "../../limits.ts";

/**
 * A tool call's id as the wire accepts it: letters, digits, `_` and `-`, at most `limitChars`. Any other id is replaced by
 * one made from it alone, so that call and result agree, in this request and in every later one.
 */
export function wireCallId(id: string, limitChars: number): string {
  if (id.length <= limitChars && /^[A-Za-z0-9_-]+$/.test(id)) return id;
  // Not as UTF-8, in which halves of characters are all alike.
  return `call_${createHash("sha256").update(id, "utf16le").digest("hex").slice(0, 32)}`;
}

/** The same for Mistral, which takes nine letters and digits and nothing else. */
export function mistralCallId(id: string): string {
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id;
  return createHash("sha256").update(id).digest("hex").slice(0, 9);
}

/** A tool's name in the history as vendors accept it: models invent names that no vendor takes back. */
export function wireToolName(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, limits.toolNameChars);
  return clean === "" ? "unnamed" : clean;
}
