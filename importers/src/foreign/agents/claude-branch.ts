import type { JsonObject } from "@capstan/protocol";
import { blocksOf, objectAt, textAt } from "../fields.ts";
import type { Healing } from "../healing.ts";

/**
 * The lines of the branch that was worked on last, in the order of the file: from the last line up its parents, over compactions,
 * with the other blocks of the same answers and the results of the calls in them.
 */
export function claudeBranch(lines: readonly JsonObject[], healing: Healing): readonly JsonObject[] {
  const main = withoutSidechains(lines, healing);
  // Nothing in the file says what follows what: then its order does.
  if (!main.some(hasParent)) return main;
  const onBranch = lineage(main);
  const answers = new Set([...onBranch].map((line) => answerId(line)).filter((id) => id !== ""));
  for (const line of main) if (answers.has(answerId(line))) onBranch.add(line);
  const calls = new Set([...onBranch].flatMap((line) => idsOf(line, "tool_use", "id")));
  const kept = main.filter(
    (line) => onBranch.has(line) || idsOf(line, "tool_result", "tool_use_id").some((id) => calls.has(id)),
  );
  healing.note("entries of abandoned branches left out", main.filter(isSaid).length - kept.filter(isSaid).length);
  return kept;
}

/** What a sub-agent said is no part of the conversation, unless the file is that of a sub-agent. */
function withoutSidechains(lines: readonly JsonObject[], healing: Healing): readonly JsonObject[] {
  const main = lines.filter((line) => line["isSidechain"] !== true);
  if (!main.some(isSaid)) return lines;
  healing.note("answers of a sub-agent left out", lines.length - main.length);
  return main;
}

function lineage(main: readonly JsonObject[]): Set<JsonObject> {
  const places = new Map<string, number>();
  for (const [at, line] of main.entries()) if (textAt(line, "uuid") !== "") places.set(textAt(line, "uuid"), at);
  const found = new Set<JsonObject>();
  let at = main.findLastIndex(isSaid);
  while (at >= 0) {
    const line = main[at];
    if (line === undefined) break;
    found.add(line);
    at = parentOf(line, at, places, main);
  }
  return found;
}

/** The place of a line's parent; the line before where the parent is lost or a compaction cut the chain; -1: there is none. */
function parentOf(
  line: JsonObject,
  at: number,
  places: ReadonlyMap<string, number>,
  main: readonly JsonObject[],
): number {
  for (const key of ["parentUuid", "logicalParentUuid"]) {
    const place = places.get(textAt(line, key));
    // A parent stands before its children; anything else would lead in a circle.
    if (place !== undefined && place < at) return place;
  }
  const isCut = line["subtype"] === "compact_boundary" || line["isCompactSummary"] === true;
  if (!isCut && "uuid" in line && textAt(line, "parentUuid") === "") return -1;
  return main.findLastIndex((other, place) => place < at && ("uuid" in other || !("uuid" in line)));
}

function hasParent(line: JsonObject): boolean {
  return textAt(line, "parentUuid") !== "" || textAt(line, "logicalParentUuid") !== "";
}

function isSaid(line: JsonObject): boolean {
  return line["type"] === "user" || line["type"] === "assistant";
}

/** Lines of one answer share the id of its message. */
function answerId(line: JsonObject): string {
  return line["type"] === "assistant" ? textAt(objectAt(line, "message"), "id") : "";
}

function idsOf(line: JsonObject, type: string, key: string): readonly string[] {
  return blocksOf(objectAt(line, "message")?.["content"]).flatMap((block) =>
    block["type"] === type ? [textAt(block, key)] : [],
  );
}
