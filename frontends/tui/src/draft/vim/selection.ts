import type { Row } from "@capstan/view";
import { type Draft, labelOf, type Line } from "../draft.ts";
import type { RowPlace } from "../draft-rows.ts";
import type { Range } from "./spots.ts";

/** A row of the draft, with what is selected of it marked; an empty line that is selected is a marked blank. */
export function selectedIn(draft: Draft, range: Range, text: string, place: RowPlace | undefined): Row {
  if (place === undefined) return [];
  const { line, at, end } = place;
  const items = draft.lines[line] ?? [];
  const isIn = line >= range.from.line && line <= range.to.line;
  const start = range.isLines || line > range.from.line ? 0 : range.from.at;
  const stop = range.isLines || line < range.to.line ? items.length : range.to.at;
  const [from, to] = [Math.max(at, start), Math.min(end, stop)];
  if (!isIn || (from >= to && items.length > 0)) return text === "" ? [] : [{ text, roles: [] }];
  if (items.length === 0) return [{ text: " ", roles: ["selected"] }];
  return [
    { text: shown(items.slice(at, from)), roles: [] },
    { text: shown(items.slice(from, to)), roles: ["selected"] as const },
    { text: shown(items.slice(to, end)), roles: [] },
  ].filter((span) => span.text !== "");
}

function shown(items: Line): string {
  return items.map((item) => (item === "\t" ? "  " : labelOf(item))).join("");
}
