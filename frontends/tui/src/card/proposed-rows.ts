import { cutRow, type Row, rowOf, wrapRow } from "@capstan/view";
import { counted } from "../cells/cell-view.ts";
import type { Card } from "./card.ts";
import type { Asked, Proposed } from "./card-choices.ts";
import { changeLines, changeText } from "./change-rows.ts";

/** Of the room, the list of files takes a third; the rest is the change that is looked at. */
const listShare = 3;
const leastFiles = 3;

type Request = Proposed["request"];

/** Files that are proposed to be changed, each with a box, and below them the change of the one that is looked at. */
export function proposedRows(
  card: Card,
  pending: readonly Asked[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly Row[] {
  const files = card.ids.flatMap((id) => {
    const request = pending.find((asked) => asked.id === id)?.request;
    return request?.type === "proposed" ? [{ id, request }] : [];
  });
  const shown = files[card.at]?.request;
  if (shown === undefined) return [];
  if (files.length === 1) return [...headRows(shown, changeText(shown.change), columns), ...matterRows(shown, columns)];
  const room = Math.max(leastFiles, Math.floor(rows / listShare));
  const from = Math.max(0, Math.min(card.at - Math.floor(room / 2), files.length - room));
  const place = files.length > room ? `, ${card.at + 1} of ${files.length}` : "";
  const list = files.slice(from, from + room).map(({ id, request }, at): Row => {
    const isLookedAt = from + at === card.at;
    const stale = request.leftAlone === null ? "" : " · left alone";
    const head = `${isLookedAt ? "›" : " "} [${card.selected.includes(id) ? "x" : " "}] ${changeText(request.change)}`;
    return cutRow(
      [...rowOf(head, ...(isLookedAt ? (["warning", "strong"] as const) : [])), ...rowOf(stale, "bad")],
      columns,
    );
  });
  const title = `Changes of ${counted(files.length, "file")} are proposed; an answer is for those with an x${place}:`;
  return [...wrapRow([{ text: title, roles: ["warning"] }], columns), ...list, ...matterRows(shown, columns)];
}

function headRows({ summary }: Request, change: string, columns: number): readonly Row[] {
  return [
    ...wrapRow([{ text: `Proposed: ${change}`, roles: ["warning", "strong"] }], columns),
    ...wrapRow([{ text: summary, roles: ["muted"] }], columns),
  ];
}

function matterRows({ change, leftAlone }: Request, columns: number): readonly Row[] {
  const stale = leftAlone === null ? [] : wrapRow([{ text: `! Left alone: ${leftAlone}`, roles: ["bad"] }], columns);
  const lines = changeLines(change, columns);
  return [...stale, ...(lines.length === 0 ? [rowOf(noLines(change.kind), "muted")] : lines)];
}

/** What stands where no lines can. */
export function noLines(kind: Request["change"]["kind"]): string {
  return kind === "deleted" ? "The file is deleted." : "The change has no lines that could be shown.";
}
