import { activityText, cutRow, type Role, type Row, type RowSpan, type Status, runningTimeText } from "@capstan/view";
import { itemText, type StatusItem } from "../status/status-items.ts";

export interface StatusRoom {
  readonly columns: number;
  /** Of the editor, such as `NORMAL`; empty: none. */
  readonly editing: string;
  /** Of the spinner; `null`: nothing moves. */
  readonly tick: number | null;
  readonly said: SaidBeside;
}

/** What stands beside what happens. */
export interface SaidBeside {
  readonly items: readonly StatusItem[];
  readonly folder: string;
  /** What a program of the user's wrote in their place, inert; `null`: nothing. */
  readonly line: string | null;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** What happens, for how long, and what holds: the parts on the right are left out first. */
export function statusRow(status: Status, { columns, editing, tick, said }: StatusRoom): Row {
  const mode = editing === "" ? [] : [part(editing, "strong")];
  const happening = activityParts(status, tick);
  const texts = said.line === null ? said.items.map((item) => itemText(item, status, said.folder)) : [said.line];
  const rest = texts.filter((text) => text !== "").map((text) => part(text, "muted"));
  return joined([...mode, ...happening, ...rest], columns);
}

function activityParts({ activity, elapsedMs }: Status, tick: number | null): readonly RowSpan[] {
  if (activity.type === "idle") return [];
  const sign = tick === null ? "" : `${spinner[tick % spinner.length] ?? ""} `;
  // The turn's, so that it stands before what a call does, whose own time its cell shows. While somebody is asked nothing is painted by
  // itself, and a time would stand still.
  const time = elapsedMs === null || activity.type === "waiting" ? "" : `${runningTimeText(elapsedMs)} · `;
  return [part(`${sign}${time}${activityText(activity)}`, activity.type === "waiting" ? "warning" : "accent")];
}

function part(text: string, role: Role): RowSpan {
  return { text, roles: [role] };
}

/** As many parts as have room; the first always has some. */
function joined(parts: readonly RowSpan[], columns: number): Row {
  const [first, ...others] = parts;
  if (first === undefined) return [];
  let row: Row = cutRow([first], columns);
  let width = first.text.length;
  for (const other of others) {
    if (width + 3 + other.text.length > columns) break;
    row = [...row, { text: " · ", roles: ["muted"] }, other];
    width += 3 + other.text.length;
  }
  return row;
}
