import { createHash } from "node:crypto";

/** A reasoning item with the item it led to: the text of a message, or the id of a call. */
export interface Reasoning {
  readonly id: string;
  readonly summary: string;
  readonly leadsTo: string;
}

/** The encrypted content this server puts into a reasoning item. It follows from the item alone, so any restart still knows its own. */
export function sealReasoning({ id, summary, leadsTo }: Reasoning): string {
  return `${sealPart(`${id}\n${summary}`)}.${sealPart(`${id}\n${leadsTo}`)}`;
}

/** Whether encrypted content was made here, for this item, and for what follows it. */
export function checkSeal(sealed: string, item: Reasoning): "known" | "forged" | "out-of-place" {
  const [ownSeal, placeSeal] = sealReasoning(item).split(".");
  const [own, place] = sealed.split(".");
  if (own !== ownSeal) return "forged";
  return place === placeSeal ? "known" : "out-of-place";
}

function sealPart(text: string): string {
  return createHash("sha256").update("capstan rehearsal reasoning\n").update(text).digest("base64url");
}
