import { cutRow, type Row, rowOf, rowText } from "@capstan/view";
import type { Frame, Size } from "../terminal/frame.ts";
import { withoutLastLetter } from "../draft/typed-line.ts";

/** Rows to look through, on the whole screen. */
export interface Pager {
  readonly title: string;
  readonly rows: readonly Row[];
  /** The first row that is shown. */
  readonly top: number;
  /** Rows where something begins that can be jumped to. */
  readonly marks: readonly number[];
  /** What is searched for; `isTyping`: it is being typed. */
  readonly search: { readonly text: string; readonly isTyping: boolean } | null;
}

export function newPager(title: string, rows: readonly Row[], marks: readonly number[] = []): Pager {
  return { title, rows, top: 0, marks, search: null };
}

/** With its end on the screen. */
export function atEnd(pager: Pager, size: Size): Pager {
  return { ...pager, top: lastTop(pager, size) };
}

/** @returns `null`: it is closed */
export function pagerKey(pager: Pager, key: string, size: Size): Pager | null {
  const { search } = pager;
  if (search?.isTyping === true) return searchKey(pager, search.text, key, size);
  const page = Math.max(1, bodyRows(size) - 1);
  switch (key) {
    case "escape":
    case "q":
    case "ctrl+c":
    case "ctrl+o":
      return null;
    case "up":
    case "k":
    case "ctrl+p":
      return moved(pager, -1, size);
    case "down":
    case "j":
    case "ctrl+n":
    case "enter":
      return moved(pager, 1, size);
    case "page-up":
    case "b":
    case "ctrl+u":
      return moved(pager, -page, size);
    case "page-down":
    case "space":
    case " ":
    case "ctrl+d":
      return moved(pager, page, size);
    case "home":
    case "g":
      return { ...pager, top: 0 };
    case "end":
    case "shift+g":
    case "G":
      return { ...pager, top: lastTop(pager, size) };
    case "[":
      return toMark(pager, -1, size);
    case "]":
      return toMark(pager, 1, size);
    case "/":
      return { ...pager, search: { text: "", isTyping: true } };
    case "n":
      return found(pager, 1, size);
    case "N":
    case "shift+n":
      return found(pager, -1, size);
    default:
      return pager;
  }
}

export function pagerText(pager: Pager, text: string, size: Size): Pager | null {
  const { search } = pager;
  if (search?.isTyping === true) return { ...pager, search: { text: search.text + text, isTyping: true } };
  let next: Pager | null = pager;
  for (const letter of text) next = next === null ? null : pagerKey(next, letter, size);
  return next;
}

export function pagerFrame(pager: Pager, size: Size): Frame {
  const { columns, rows } = size;
  const room = bodyRows(size);
  const top = Math.min(pager.top, lastTop(pager, size));
  const body = pager.rows.slice(top, top + room).map((row) => cutRow(row, columns));
  const padding = Array.from({ length: Math.max(0, room - body.length) }, (): Row => []);
  const last = Math.min(pager.rows.length, top + room);
  const place = `${last} of ${pager.rows.length}`;
  const { search } = pager;
  const foot =
    search?.isTyping === true
      ? rowOf(`/${search.text}`, "accent")
      : rowOf(`${place} · q closes · / searches, n next · [ ] by turn · g G ends`, "muted");
  const head = rowOf(pager.title, "strong");
  const all = [cutRow(head, columns), ...body, ...padding, cutRow(foot, columns)].slice(0, rows);
  const caret =
    search?.isTyping === true ? { row: rows - 1, column: Math.min(columns - 1, search.text.length + 1) } : null;
  return { rows: all, caret };
}

function searchKey(pager: Pager, text: string, key: string, size: Size): Pager {
  switch (key) {
    case "enter":
      return found({ ...pager, search: { text, isTyping: false } }, 1, size);
    case "escape":
    case "ctrl+c":
      return { ...pager, search: null };
    case "backspace":
      return { ...pager, search: { text: withoutLastLetter(text), isTyping: true } };
    default:
      return pager;
  }
}

/** To the next row with the words, from the first that is shown on; at the end it continues at the beginning. */
function found(pager: Pager, by: 1 | -1, size: Size): Pager {
  const wanted = pager.search?.text.toLowerCase() ?? "";
  const count = pager.rows.length;
  if (wanted === "" || count === 0) return pager;
  for (let step = 1; step <= count; step += 1) {
    const at = (((pager.top + by * step) % count) + count) % count;
    if (
      rowText(pager.rows[at] ?? [])
        .toLowerCase()
        .includes(wanted)
    )
      return { ...pager, top: Math.min(at, lastTop(pager, size)) };
  }
  return pager;
}

function toMark(pager: Pager, by: 1 | -1, size: Size): Pager {
  const { marks, top } = pager;
  const mark = by === 1 ? marks.find((at) => at > top) : marks.findLast((at) => at < top);
  return mark === undefined ? pager : { ...pager, top: Math.min(mark, lastTop(pager, size)) };
}

function moved(pager: Pager, by: number, size: Size): Pager {
  return { ...pager, top: Math.max(0, Math.min(lastTop(pager, size), pager.top + by)) };
}

function lastTop({ rows }: Pager, size: Size): number {
  return Math.max(0, rows.length - bodyRows(size));
}

function bodyRows({ rows }: Size): number {
  return Math.max(1, rows - 2);
}
