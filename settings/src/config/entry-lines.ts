import type { JsonValue } from "@capstan/protocol";
import type { KeyLines } from "./files/key-lines.ts";
import type { Setting } from "./read-settings.ts";

/**
 * The line of each rule of a list of rules, for messages and explanations; nothing for other keys.
 * @param kept  what of the list counts, when not all does
 */
export function entryLines(
  { segments, key }: Setting,
  value: JsonValue,
  lines: KeyLines,
  kept: JsonValue = value,
): { readonly entryLines?: readonly (number | undefined)[] } {
  if (key.type.type !== "rule-list" || !Array.isArray(value) || !Array.isArray(kept)) return {};
  return { entryLines: kept.map((entry) => lines.lineOf([...segments, String(value.indexOf(entry))])) };
}
