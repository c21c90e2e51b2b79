import type { UserContent } from "@capstan/protocol";
import { wellFormed } from "../well-formed.ts";

/** Stands where a wire demands content and there is none. */
export const emptyPlaceholder = "(empty)";

/** Vendors refuse texts without a visible character. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

export type Media = Extract<UserContent, { readonly type: "media" }>;

/** An attachment that is not sent, reported to the model in words. */
export function describeMedia(media: Media, problem = "cannot be shown to this model"): string {
  const name = media.name === undefined ? "" : ` ${wellFormed(media.name)}`;
  return `[attachment${name}: ${wellFormed(media.mediaType)} ${problem}]`;
}

/** The text of an attachment that is text; `undefined` for any other. */
export function textOfMedia(media: Media): string | undefined {
  if (!/^(text\/|application\/(json|xml)\b)/i.test(media.mediaType)) return undefined;
  return wellFormed(Buffer.from(media.data, "base64").toString("utf8"));
}
