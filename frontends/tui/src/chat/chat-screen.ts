import { cutRow, inertLine, type Row, rowOf, type Status, type Transcript, wrapRow } from "@capstan/view";
import type { Card } from "../card/card.ts";
import type { Asked } from "../card/card-choices.ts";
import { cardRows } from "../card/card-rows.ts";
import type { Draft } from "../draft/draft.ts";
import { draftRows } from "../draft/draft-rows.ts";
import type { Range } from "../draft/vim/spots.ts";
import { selectedIn } from "../draft/vim/selection.ts";
import type { Caret, Frame, Size } from "../terminal/frame.ts";
import { type SaidBeside, statusRow } from "./status-row.ts";

/** What stands at the bottom of the chat: all of it but the transcript. */
export interface Bottom {
  readonly card: Card | null;
  readonly pending: readonly Asked[];
  readonly queued: Transcript["queued"];
  readonly draft: Draft;
  readonly selection: Range | null;
  /** Names that the word under the caret may become, the one that Tab takes marked. */
  readonly offers: readonly Row[];
  readonly status: Status;
  /** What the user should know for a moment. */
  readonly hint: string | null;
  readonly editing: string;
  readonly tick: number | null;
  readonly said: SaidBeside;
  /** Tasks and agents: what has no room is left out first. */
  readonly panes: readonly Row[];
  /** ms since 1970. */
  readonly now: number;
}

const prompt = "› ";
const queuedShown = 3;
const hintShown = 4;
const queuedCharacters = 200;
/** Of the draft, at most; where the screen is low, less. */
const draftShown = 12;

/** The rows below the transcript, none wider than the screen and never more than it has. */
export function bottomFrame(bottom: Bottom, { columns, rows: height }: Size): Frame {
  const draft = draftPart(bottom, columns, Math.max(1, Math.min(draftShown, Math.floor(height / 3))));
  const status = cutRow(statusRow(bottom.status, { ...bottom, columns }), columns);
  const hint = hintRows(bottom.hint, columns).slice(0, Math.max(0, height - draft.rows.length - 2));
  const room = Math.max(0, height - draft.rows.length - hint.length - 2);
  const queue = queueRows(bottom.queued, columns).slice(0, Math.max(0, room - 3));
  const card = cardPart(bottom, columns, room - queue.length);
  const stacked = [...bottom.panes, ...card.rows, ...queue];
  const above = room === 0 ? [] : stacked.slice(-room);
  const lost = stacked.length - above.length;
  const offers = bottom.offers.slice(0, Math.max(0, room - above.length)).map((row) => cutRow(row, columns));
  const rows = [...above, ...offers, ...hint, rule(columns), ...draft.rows, status].slice(-height);
  const top = rows.length - draft.rows.length - 1;
  const caret = card.caret === null ? null : { ...card.caret, row: Math.max(0, card.caret.row - lost) };
  return { rows, caret: caret ?? { row: Math.max(0, top + draft.caret.row), column: draft.caret.column } };
}

function cardPart(
  { card, pending, now }: Bottom,
  columns: number,
  rows: number,
): { readonly rows: readonly Row[]; readonly caret: Caret | null } {
  if (card === null) return { rows: [], caret: null };
  return cardRows(card, pending, { columns, rows: Math.max(4, rows), now });
}

/** The draft behind its sign; of one that is too long for its room, the part around the caret. */
function draftPart(
  { draft, selection }: Bottom,
  columns: number,
  room: number,
): { readonly rows: readonly Row[]; readonly caret: Caret } {
  const { rows, places, caret } = draftRows(draft, Math.max(1, columns - prompt.length - 1));
  const from = Math.max(0, Math.min(caret.row - Math.floor(room / 2), rows.length - room));
  const shown = rows.slice(from, from + room);
  return {
    rows: shown.map((text, at) => [
      { text: from + at === 0 ? prompt : "  ", roles: ["accent"] },
      ...(selection === null
        ? plain(text)
        : cutRow(selectedIn(draft, selection, text, places[from + at]), columns - prompt.length)),
    ]),
    caret: { row: caret.row - from, column: Math.min(columns - 1, caret.column + prompt.length) },
  };
}

function plain(text: string): Row {
  return text === "" ? [] : [{ text, roles: [] }];
}

function queueRows(queued: Transcript["queued"], columns: number): readonly Row[] {
  const rows = queued.slice(0, queuedShown).map(({ words }, at) => {
    const text = words.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join(" ");
    const hint = at === queued.length - 1 ? "  (Alt-Up: take back)" : "";
    return cutRow(rowOf(`queued: ${inertLine(text, queuedCharacters)}${hint}`, "muted"), columns);
  });
  const left = queued.length - rows.length;
  return left > 0 ? [...rows, rowOf(`… and ${left} more queued`, "muted")] : rows;
}

function hintRows(hint: string | null, columns: number): readonly Row[] {
  return hint === null ? [] : wrapRow([{ text: hint, roles: ["warning"] }], columns).slice(0, hintShown);
}

function rule(columns: number): Row {
  return rowOf("─".repeat(columns), "muted");
}
