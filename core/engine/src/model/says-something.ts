import type { UserContent } from "@capstan/protocol";

/** Vendors refuse empty texts, and nobody means them. */
export function saysSomething(part: UserContent): boolean {
  return part.type !== "text" || part.text.trim() !== "";
}
