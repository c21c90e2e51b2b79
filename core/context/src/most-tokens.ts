import { type Message, utf8Length } from "@capstan/protocol";
import { maxImageTokens } from "./limits.ts";

/** More tokens than messages can have: one for every byte. No tokenizer makes more of a text; ordinary text has a quarter of that. */
export function mostTokens(messages: readonly Message[]): number {
  let imageTokens = 0;
  const text = JSON.stringify(messages, (_key, value: unknown) => {
    if (!isImage(value)) return value;
    imageTokens += Math.min(value.data.length, maxImageTokens);
    return null;
  });
  return utf8Length(text) + imageTokens;
}

/** A picture costs by its size in pixels, of which no vendor counts more than so many. */
function isImage(value: unknown): value is { readonly data: string } {
  if (typeof value !== "object" || value === null) return false;
  if (!("mediaType" in value) || !("data" in value)) return false;
  return typeof value.data === "string" && typeof value.mediaType === "string" && value.mediaType.startsWith("image/");
}
