import type { JsonValue } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { shownCharacters, shownDepth, shownEntries } from "../limits.ts";

/** Arguments as they are shown: inert, and no longer than anybody reads. */
export function shownInput(value: JsonValue, depth: number = 0): JsonValue {
  if (typeof value === "string") return shownText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= shownDepth) return "…";
  if (Array.isArray(value)) return value.slice(0, shownEntries).map((item) => shownInput(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, shownEntries)
      .map(([name, item]) => [inertText(name), shownInput(item, depth + 1)]),
  );
}

/** A text without what would drive a terminal; of a long one the beginning and the end. */
export function shownText(text: string): string {
  if (text.length <= shownCharacters) return inertText(text).toWellFormed();
  const half = shownCharacters / 2;
  const left = text.length - shownCharacters;
  return inertText(`${text.slice(0, half)}\n… ${left} characters are not shown …\n${text.slice(-half)}`).toWellFormed();
}
