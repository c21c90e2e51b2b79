import { type Draft, placed, relettered } from "../draft.ts";
import { editDraft } from "../edit-draft.ts";
import type { Command, EditName } from "./commands.ts";
import { cases, eachLetter, joinLines, operate, put } from "./operators.ts";
import { selectionRange } from "./range.ts";
import { firstWritten, lineAt } from "./spots.ts";
import { changed, type Edited } from "./state.ts";

type EditCommand = Extract<Command, { type: "edit" }>;

/** How insert mode begins. */
interface Insert {
  readonly insert: (before: Edited, draft: Draft, command: Command | null) => Edited;
}

/** Commands of one key. */
export function edit(edited: Edited, command: EditCommand, { insert }: Insert): Edited {
  const { vim, draft } = edited;
  if (vim.mode !== "normal") return visualEdit(edited, command);
  const count = command.count ?? 1;
  switch (command.name) {
    case "i":
    case "a":
    case "I":
    case "A":
    case "o":
    case "O":
      return insert(edited, insertPlaces[command.name](draft), command);
    case "v":
    case "V":
      return { vim: { ...vim, mode: command.name === "v" ? "visual" : "visual-line", anchor: draft.caret }, draft };
    case "u":
    case "ctrl+r":
      return { vim, draft: stepped(draft, command.name === "u" ? "undo" : "redo", count) };
    case ".":
      return edited;
    case "p":
    case "P":
    case "J":
    case "~":
    case "r": {
      const made = changes[command.name](edited, count, command.letter);
      return made === draft
        ? edited
        : { vim: { ...vim, change: { command, written: [] } }, draft: changed(draft, made) };
    }
  }
}

/** Where each begins to insert. */
const insertPlaces: Readonly<Record<"i" | "a" | "I" | "A" | "o" | "O", (draft: Draft) => Draft>> = {
  i: (draft) => draft,
  a: (draft) => at(draft, Math.min(lineAt(draft, draft.caret.line).length, draft.caret.at + 1)),
  I: (draft) => {
    const items = lineAt(draft, draft.caret.line);
    const isWritten = items.some((item) => typeof item !== "string" || item.trim() !== "");
    return at(draft, isWritten ? firstWritten(items) : items.length);
  },
  A: (draft) => at(draft, lineAt(draft, draft.caret.line).length),
  o: (draft) => opened(draft, draft.caret.line + 1),
  O: (draft) => opened(draft, draft.caret.line),
};

function at(draft: Draft, item: number): Draft {
  return { ...draft, caret: { line: draft.caret.line, at: item }, goal: null };
}

function opened(draft: Draft, line: number): Draft {
  return placed(draft, [...draft.lines.slice(0, line), [], ...draft.lines.slice(line)], { line, at: 0 });
}

/** A key that writes no letter. */
function isChord(key: string): boolean {
  return /^[a-z]+[+-]|^[a-z]{2}/.test(key);
}

/** `u` and Ctrl-R, so many times. */
function stepped(draft: Draft, action: "undo" | "redo", count: number): Draft {
  let step = draft;
  for (let left = count; left > 0; left -= 1) step = editDraft(step, action, 1);
  return step;
}

type ChangeOf = (edited: Edited, count: number, letter: string) => Draft;

const changes: Readonly<Record<"p" | "P" | "J" | "~" | "r", ChangeOf>> = {
  p: (edited, count) => putIn(edited, count, true),
  P: (edited, count) => putIn(edited, count, false),
  J: ({ draft }, count) => joinLines(draft, draft.caret.line, count),
  "~": ({ draft }, count) => {
    const { line, at: from } = draft.caret;
    const end = Math.min(lineAt(draft, line).length, from + count);
    const range = { from: draft.caret, to: { line, at: end }, isLines: false };
    return end === from ? draft : at(eachLetter(draft, range, cases["~"]), end);
  },
  r: ({ draft }, count, letter) => {
    const { line, at: from } = draft.caret;
    const items = lineAt(draft, line);
    if (isChord(letter) || items.length < from + count) return draft;
    const made = relettered(items.map((item, index) => (index >= from && index < from + count ? letter : item)));
    const lines = draft.lines.map((known, index) => (index === line ? made : known));
    return placed(draft, lines, { line, at: Math.min(from + count, made.length) - 1 });
  },
};

function putIn({ vim, draft }: Edited, count: number, isBehind: boolean): Draft {
  const { killed } = draft;
  if (killed.length === 0) return draft;
  const isLines = killed === vim.wholeLines;
  const many = Array.from({ length: count }, () => killed);
  const [first = [], ...more] = many;
  const all = isLines ? many.flat() : more.reduce<Draft["lines"]>(seamed, first);
  return put(draft, all, isLines, isBehind);
}

function seamed(one: Draft["lines"], other: Draft["lines"]): Draft["lines"] {
  const [first = [], ...more] = other;
  return [...one.slice(0, -1), relettered([...(one.at(-1) ?? []), ...first]), ...more];
}

/** What a key does with the selection. */
function visualEdit(edited: Edited, { name, letter }: EditCommand): Edited {
  const { vim, draft } = edited;
  const isLines = vim.mode === "visual-line";
  const range = selectionRange(draft, isLines, vim.anchor);
  const left = { ...vim, mode: "normal" } as const;
  switch (name satisfies EditName) {
    case "v":
    case "V": {
      const mode = name === "v" ? "visual" : "visual-line";
      return { vim: { ...vim, mode: mode === vim.mode ? "normal" : mode }, draft };
    }
    case "o":
      return { vim: { ...vim, anchor: draft.caret }, draft: { ...draft, caret: vim.anchor, goal: null } };
    case "J":
      return {
        vim: left,
        draft: changed(draft, joinLines(draft, range.from.line, range.to.line - range.from.line + 1)),
      };
    case "r":
      return {
        vim: left,
        draft: isChord(letter)
          ? draft
          : changed(
              draft,
              eachLetter(draft, range, () => letter),
            ),
      };
    case "p":
    case "P":
      return replaced({ vim: left, draft }, isLines, range);
    default:
      return edited;
  }
}

/** The selection for what was taken before; the selection is what is taken now. */
function replaced({ vim, draft }: Edited, isLines: boolean, range: ReturnType<typeof selectionRange>): Edited {
  const { killed } = draft;
  if (killed.length === 0) return { vim, draft };
  const putsLines = killed === vim.wholeLines;
  const { draft: without, taken } = operate("d", draft, range);
  const wasAll = isLines && range.from.line === 0 && range.to.line === draft.lines.length - 1;
  const isAtEnd = isLines ? range.to.line === draft.lines.length - 1 : false;
  const made = wasAll ? placed(draft, killed, { line: 0, at: 0 }) : put(without, killed, putsLines || isLines, isAtEnd);
  const wholeLines = taken?.isLines === true ? taken.lines : null;
  return { vim: { ...vim, wholeLines }, draft: changed(draft, { ...made, killed: taken?.lines ?? killed }) };
}
