import { createHash } from "node:crypto";

/** What a signature stands on: the name of a call, or a text. */
export type SignedPart = { readonly type: "call"; readonly name: string } | { readonly type: "text" };

/**
 * The thought signature this server puts on a part of an answer. It proves itself: any restart knows its own, and one that
 * was moved to another kind of part, or to another function's call, is found out.
 * @param answer  whatever distinguishes this answer from others
 */
export function signPart(part: SignedPart, answer: string): string {
  const payload = hash(`answer\n${answer}`);
  return Buffer.from(`${payload}${seal(part, payload)}`).toString("base64");
}

/** Whether this server put a signature on such a part. */
export function isOwnSignature(part: SignedPart, signature: string): boolean {
  const text = Buffer.from(signature, "base64").toString("latin1");
  const payload = text.slice(0, hashChars);
  const found = text.slice(hashChars);
  if (text.length !== 2 * hashChars) return false;
  return found === seal(part, payload) || (part.type === "call" && found === seal({ type: "call", name: "" }, payload));
}

const hashChars = 16;

function seal(part: SignedPart, payload: string): string {
  return hash(`capstan rehearsal\n${part.type}\n${part.type === "call" ? nameThatReturns(part.name) : ""}\n${payload}`);
}

/** A name the wire does not take cannot come back as it was: the signature of such a call stands for any call. */
function nameThatReturns(name: string): string {
  return /^[A-Za-z_][\w.:-]{0,127}$/.test(name) ? name : "";
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, hashChars);
}
