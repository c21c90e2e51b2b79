import type { JsonObject } from "@capstan/protocol";
import { textAt } from "../fields.ts";
import type { Healing } from "../healing.ts";

/** The lines from the root to the last one, in order; all of them in the oldest form, which had no ids. */
export function piBranch(lines: readonly JsonObject[], healing: Healing): readonly JsonObject[] {
  const entries = lines.filter((line) => line["type"] !== "session");
  if (!entries.some((line) => textAt(line, "id") !== "")) return entries;
  const places = new Map<string, number>();
  for (const [at, line] of entries.entries()) places.set(textAt(line, "id"), at);
  const branch: JsonObject[] = [];
  let at = entries.length - 1;
  while (at >= 0) {
    const line = entries[at];
    if (line === undefined) break;
    branch.push(line);
    at = parentOf(line, at, places);
  }
  healing.note("entries of abandoned branches left out", entries.length - branch.length);
  return branch.toReversed();
}

/** A lost parent is taken for the line before. */
function parentOf(line: JsonObject, at: number, places: ReadonlyMap<string, number>): number {
  const parent = textAt(line, "parentId");
  if (parent === "") return "parentId" in line ? -1 : at - 1;
  const place = places.get(parent);
  return place !== undefined && place < at ? place : at - 1;
}
