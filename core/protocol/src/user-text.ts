import type { UserContent } from "./message.ts";

/** Plain text as user content. */
export function userText(text: string): readonly UserContent[] {
  return [{ type: "text", text }];
}

/** Vendors refuse empty texts, and nobody means them. */
export function saysSomething(part: UserContent): boolean {
  return part.type !== "text" || part.text.trim() !== "";
}
