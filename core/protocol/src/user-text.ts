import type { UserContent } from "./message.ts";

/** Plain text as user content. */
export function userText(text: string): readonly UserContent[] {
  return [{ type: "text", text }];
}
