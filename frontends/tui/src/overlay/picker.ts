import { cutRow, type Row, rowOf, textWidth, wrapRow } from "@capstan/view";
import type { Frame, Size } from "../terminal/frame.ts";
import { withoutLastLetter } from "../draft/typed-line.ts";

/** Something to choose from a list. Texts are inert. */
export interface PickerEntry<Value> {
  readonly value: Value;
  readonly label: string;
  /** Beside it, in a quieter colour. */
  readonly about: string;
}

/** A key that does something with the entry that is marked. */
export interface PickerAction {
  readonly chord: string;
  /** As the foot names the key, and what it does. */
  readonly key: string;
  readonly label: string;
}

export interface Picker<Value> {
  readonly title: string;
  /** What to know before choosing, between the title and the list. */
  readonly notes?: readonly Row[];
  readonly entries: readonly PickerEntry<Value>[];
  readonly filter: string;
  /** Of the entries that the filter leaves, the one that Enter takes. */
  readonly at: number;
  /** What else can be done with the entry than to take it. */
  readonly actions?: readonly PickerAction[];
  /** Enter takes what is typed; there is nothing to choose from. */
  readonly isLine?: true;
}

export type PickerUpdate<Value> =
  | { readonly type: "open"; readonly picker: Picker<Value> }
  /** What was written in a line. */
  | { readonly type: "written"; readonly text: string }
  /** `action`: the chord of what is to be done with it; absent: it is taken. */
  | { readonly type: "chosen"; readonly value: Value; readonly action?: string }
  | { readonly type: "closed" };

export function newPicker<Value>(
  title: string,
  entries: readonly PickerEntry<Value>[],
  at = 0,
  notes: readonly Row[] = [],
): Picker<Value> {
  return { title, entries, filter: "", at, ...(notes.length === 0 ? {} : { notes }) };
}

/** A line to write, with what stands in it. @param about  what it may be, a row each */
export function newLine(title: string, about: readonly string[], text: string): Picker<string> {
  const entries = about.map((label) => ({ value: "", label, about: "" }));
  return { title, entries, filter: text, at: 0, isLine: true };
}

/** Entries that have the letters of the filter in their order; those that have them side by side come first. */
function offered<Value>({ entries, filter, isLine }: Picker<Value>): readonly PickerEntry<Value>[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "" || isLine === true) return entries;
  const scored = entries.flatMap((entry, at) => {
    const score = scoreOf(`${entry.label} ${entry.about}`.toLowerCase(), wanted);
    return score === null ? [] : [{ entry, score, at }];
  });
  return scored.toSorted((one, other) => one.score - other.score || one.at - other.at).map(({ entry }) => entry);
}

export function pickerKey<Value>(picker: Picker<Value>, key: string): PickerUpdate<Value> {
  const entries = offered(picker);
  const moved = (by: number): PickerUpdate<Value> => ({
    type: "open",
    picker: { ...picker, at: Math.max(0, Math.min(entries.length - 1, picker.at + by)) },
  });
  const marked = entries[picker.at];
  if (marked !== undefined && picker.actions?.some(({ chord }) => chord === key) === true)
    return { type: "chosen", value: marked.value, action: key };
  switch (key) {
    case "escape":
    case "ctrl+c":
      return { type: "closed" };
    case "enter": {
      if (picker.isLine === true) return { type: "written", text: picker.filter };
      return marked === undefined ? { type: "open", picker } : { type: "chosen", value: marked.value };
    }
    case "up":
    case "ctrl+p":
      return moved(-1);
    case "down":
    case "ctrl+n":
    case "tab":
      return moved(1);
    case "page-up":
      return moved(-pageRows);
    case "page-down":
      return moved(pageRows);
    case "backspace":
      return { type: "open", picker: { ...picker, filter: withoutLastLetter(picker.filter), at: 0 } };
    case "ctrl+u":
      return { type: "open", picker: { ...picker, filter: "", at: 0 } };
    default:
      return { type: "open", picker };
  }
}

export function pickerText<Value>(picker: Picker<Value>, text: string): PickerUpdate<Value> {
  return { type: "open", picker: { ...picker, filter: picker.filter + text.replaceAll("\n", " "), at: 0 } };
}

const pageRows = 10;
const shownEntries = 12;
const indent = "  ";
/** Notes leave so many entries to see. */
const leastEntries = 3;

/** The list above its filter, at the bottom of the screen. */
export function pickerFrame<Value>(picker: Picker<Value>, { columns, rows }: Size): Frame {
  const entries = offered(picker);
  const notes = (picker.notes ?? [])
    .flatMap((note) => wrapRow(note, Math.max(1, columns - indent.length)).map((row) => [...rowOf(indent), ...row]))
    .slice(0, Math.max(0, rows - 3 - leastEntries));
  const room = Math.max(1, Math.min(shownEntries, rows - 4 - notes.length));
  const from = Math.max(0, Math.min(picker.at - Math.floor(room / 2), entries.length - room));
  const shown = entries.slice(from, from + room).map(({ label, about }, index): Row => {
    const isChosen = from + index === picker.at && picker.isLine !== true;
    const head = rowOf(`${isChosen ? "› " : "  "}${label}`, ...(isChosen ? (["selected"] as const) : []));
    return cutRow([...head, ...rowOf(about === "" ? "" : `  ${about}`, "muted")], columns);
  });
  const isLine = picker.isLine === true;
  const count = entries.length === 0 ? "nothing fits" : `${picker.at + 1} of ${entries.length}`;
  const prompt = isLine ? "value: " : "filter: ";
  const all: readonly Row[] = [
    cutRow([...rowOf(picker.title, "strong"), ...rowOf(isLine ? "" : ` · ${count}`, "muted")], columns),
    ...notes,
    ...shown,
    cutRow([...rowOf(prompt, "accent"), ...rowOf(picker.filter)], columns),
    cutRow(rowOf(footOf(picker), "muted"), columns),
  ];
  const fitting = all.slice(-rows);
  const column = Math.min(columns - 1, prompt.length + textWidth(picker.filter));
  return { rows: fitting, caret: { row: Math.max(0, fitting.length - 2), column } };
}

/** What keys do: the rarer ones first, since a narrow screen cuts the end, and everybody knows Enter. */
function footOf<Value>({ isLine, actions = [] }: Picker<Value>): string {
  if (isLine === true) return "Enter takes it · Esc closes";
  return [...actions.map(({ key, label }) => `${key} ${label}`), "Enter takes", "Esc closes", "type to filter"].join(
    " · ",
  );
}

/** Lower is better; `null`: the letters are not all there. */
function scoreOf(text: string, wanted: string): number | null {
  const whole = text.indexOf(wanted);
  if (whole !== -1) return whole;
  let [at, gaps] = [-1, 0];
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next === -1) return null;
    gaps += next - at - 1;
    at = next;
  }
  return 1000 + gaps;
}
