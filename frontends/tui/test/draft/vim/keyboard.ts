import { type Draft, insertText } from "../../../src/draft/draft.ts";
import { editDraft } from "../../../src/draft/edit-draft.ts";
import { type Vim, vimAtStart, vimKey } from "../../../src/draft/vim/vim.ts";
import { draftOfMarked, markedText } from "../marked-draft.ts";

/** A text with `|` for the caret, keys, what they make of it, and the mode they end in (normal, where none is named). */
export type Row = readonly [before: string, keys: string, after: string, mode?: Vim["mode"]];

interface State {
  readonly vim: Vim;
  readonly draft: Draft;
}

/** Letters as they are, and chords as `<Esc>`, `<C-r>`, `<BS>`. */
export function typed({ vim, draft }: State, keys: string): State {
  let now: State = { vim, draft };
  for (const [whole] of keys.matchAll(/<[A-Za-z-]+>|\n|[^]/gu)) now = pressed(now, whole);
  return now;
}

const chords: Readonly<Record<string, string>> = {
  "<Esc>": "escape",
  "<C-r>": "ctrl+r",
  "<BS>": "backspace",
  "<Left>": "left",
  "<Right>": "right",
  "<Home>": "home",
  "<End>": "end",
  "<Del>": "delete",
  "<Tab>": "tab",
};

function pressed(state: State, key: string): State {
  const step = vimKey(state, chords[key] ?? key);
  if (step !== null) return step;
  if (state.vim.mode !== "insert") return state;
  if (key === "<BS>") return { ...state, draft: editDraft(state.draft, "delete-left", 80) };
  return chords[key] === undefined ? { ...state, draft: insertText(state.draft, key) } : state;
}

export function normal(before: string): State {
  return { vim: { ...vimAtStart, mode: "normal" }, draft: draftOfMarked(before) };
}

/** Text, caret and mode after the keys. */
export function outcome(before: string, keys: string): readonly [after: string, mode: Vim["mode"]] {
  const { vim, draft } = typed(normal(before), keys);
  return [markedText(draft), vim.mode];
}

export interface Case {
  readonly before: string;
  readonly keys: string;
  readonly after: string;
  readonly result: readonly [after: string, mode: Vim["mode"]];
}

export function cases(rows: readonly Row[]): readonly Case[] {
  return rows.map(([before, keys, after, mode = "normal"]) => ({ before, keys, after, result: [after, mode] }));
}
