import { createHash } from "node:crypto";

/** A reasoning item, as far as its encrypted content vouches for it. */
export interface Reasoning {
  readonly id: string;
  readonly summary: string;
}

/**
 * The encrypted content this server puts into a reasoning item. It follows from the item alone, so any restart still knows its own.
 * @param leadsTo  what follows: the text of a message, or `callMark` of a call
 */
export function sealReasoning({ id, summary }: Reasoning, leadsTo: string): string {
  return `${sealPart(`${id}\n${summary}`)}.${sealPart(`${id}\n${leadsTo}`)}`;
}

/** How reasoning names the call it led to. Not by its id, which clients may have to replace, nor by a name no wire takes back. */
export function callMark(name: string): string {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name) ? `call ${name}` : anyCall;
}

/** Stands for a call whose name cannot come back. */
export const anyCall = "call";

/** Whether encrypted content was made here, for this item, and for one of the things that may follow it. */
export function checkSeal(
  sealed: string,
  item: Reasoning,
  following: readonly string[],
): "known" | "forged" | "out-of-place" {
  const [own, place] = sealed.split(".");
  if (own !== sealReasoning(item, "").split(".")[0]) return "forged";
  const known = following.some((leadsTo) => place === sealReasoning(item, leadsTo).split(".")[1]);
  return known ? "known" : "out-of-place";
}

function sealPart(text: string): string {
  return createHash("sha256").update("capstan rehearsal reasoning\n").update(text).digest("base64url");
}
