import { type Draft, insertLines, type Line, linesBetween } from "../draft.ts";
import { type Command, readCommand } from "./commands.ts";
import { edit } from "./edits.ts";
import { isFindKey, motions } from "./motions.ts";
import { objects } from "./objects.ts";
import { operate } from "./operators.ts";
import { rangeOf, selectionRange } from "./range.ts";
import { onLetter, type Range } from "./spots.ts";
import { changed, type Edited, type Insertion, type Vim } from "./state.ts";

export { type Vim, vimAtStart } from "./state.ts";

/** A key of normal or visual mode, or Esc of any. @returns null where the key is none of the editor's */
export function vimKey({ vim, draft: given }: Edited, key: string): Edited | null {
  const isEscape = key === "escape" || key === "ctrl+[";
  if (vim.mode === "insert") return isEscape ? leftInsert(vim, given) : null;
  const draft = onLetter(given);
  const isResting = vim.keys.length === 0;
  if (isEscape) return isResting && vim.mode === "normal" ? null : { vim: { ...vim, mode: "normal", keys: [] }, draft };
  const keys = [...vim.keys, key];
  const command = readCommand(keys, vim.mode !== "normal");
  if (command === "unfinished") return { vim: { ...vim, keys }, draft };
  const ready = { ...vim, keys: [] };
  if (command === null) return isResting && key.length > 1 ? null : { vim: ready, draft };
  const { vim: next, draft: made } = carryOut({ vim: ready, draft }, command);
  return { vim: next, draft: next.mode === "insert" ? made : onLetter(made) };
}

/** Insert mode without a command, such as where a `/` begins a command of the chat. */
export function toInsert({ vim, draft }: Edited): Edited {
  return { vim: { ...vim, mode: "insert", keys: [], insertion: { command: null, before: draft, from: draft } }, draft };
}

/** What is selected; `null`: nothing. */
export function selectedRange({ vim, draft }: Edited): Range | null {
  if (vim.mode !== "visual" && vim.mode !== "visual-line") return null;
  return selectionRange(draft, vim.mode === "visual-line", vim.anchor);
}

type Operate = Extract<Command, { type: "operate" }>;

function carryOut(edited: Edited, command: Command): Edited {
  const { vim, draft } = edited;
  switch (command.type) {
    case "move": {
      const { name, letter, count } = command;
      const target = motions[name]?.({ draft, count, letter, find: vim.find }) ?? null;
      const find = isFindKey(name) ? { key: name, letter } : vim.find;
      if (target === null) return { vim: { ...vim, find }, draft };
      return {
        vim: { ...vim, find },
        draft: { ...draft, caret: target.place, goal: goalAfter(draft, name), isTyping: false },
      };
    }
    case "extend": {
      const range = objects[command.name]?.(draft, command.isWhole, command.count ?? 1) ?? null;
      if (range === null) return edited;
      const at = range.isLines ? 0 : Math.max(0, range.to.at - 1);
      const mode = range.isLines ? "visual-line" : vim.mode;
      return {
        vim: { ...vim, mode, anchor: range.from },
        draft: { ...draft, caret: { line: range.to.line, at }, goal: null },
      };
    }
    case "operate":
      return operated(edited, command);
    case "edit":
      return command.name === "." ? again(edited, command.count) : edit(edited, command, { insert });
  }
}

/** The column that moves up and down aim at; behind `$` it is the end of every line. */
function goalAfter({ goal, caret }: Draft, name: string): number | null {
  if (name === "$") return Number.MAX_SAFE_INTEGER;
  return name === "j" || name === "k" ? (goal ?? caret.at) : null;
}

function operated({ vim, draft }: Edited, command: Operate): Edited {
  const { operator, subject, count } = command;
  const selection = { anchor: vim.anchor, isLines: vim.mode === "visual-line" };
  const find = findOf(vim, subject);
  const left: Vim = { ...vim, find, mode: "normal" };
  const range = rangeOf(draft, operator, subject, { count, find, selection });
  return range === null ? { vim: left, draft } : operatedOn({ vim: left, draft }, command, range);
}

function operatedOn({ vim, draft }: Edited, command: Operate, range: Range): Edited {
  const { operator, subject } = command;
  const { from, to, isLines } = range;
  const isNothing = !isLines && from.line === to.line && from.at === to.at;
  if (isNothing && operator !== "c") return { vim, draft };
  const { draft: made, taken } = operate(operator, draft, range);
  // Where undoing it leads.
  const before = isLines && from.line === draft.caret.line ? draft : { ...draft, caret: from };
  const kept = { ...made, killed: taken?.lines ?? made.killed };
  const known = taken === undefined ? vim : { ...vim, wholeLines: taken.isLines ? taken.lines : null };
  const repeatable = subject.type === "selection" ? null : command;
  if (operator === "c") return insert({ vim: known, draft: before }, kept, repeatable);
  if (operator === "y") return { vim: known, draft: kept };
  const change = repeatable === null ? known.change : { command: repeatable, written: [] };
  return { vim: { ...known, change }, draft: changed(before, kept) };
}

function findOf(vim: Vim, subject: Operate["subject"]): Vim["find"] {
  const isFind = subject.type === "motion" && isFindKey(subject.name);
  return isFind ? { key: subject.name, letter: subject.letter } : vim.find;
}

function insert({ vim, draft }: Edited, from: Draft, command: Command | null): Edited {
  return { vim: { ...vim, mode: "insert", insertion: { command, before: draft, from } }, draft: from };
}

/** Esc: the caret is on the letter that was written last, and a count has it written so often. */
function leftInsert(vim: Vim, draft: Draft): Edited {
  const { insertion } = vim;
  const written = insertion === null ? [[]] : writtenIn(insertion, draft);
  const command = insertion?.command ?? null;
  const all = command === null ? draft : writtenAgain(draft, command, written);
  const stepped = { ...all, caret: { line: all.caret.line, at: Math.max(0, all.caret.at - 1) }, goal: null };
  const made = insertion === null ? stepped : changed(insertion.before, stepped);
  const change = command === null ? vim.change : { command, written };
  return { vim: { ...vim, mode: "normal", insertion: null, change }, draft: onLetter({ ...made, isTyping: false }) };
}

/** What stands between the caret and where insert mode began; nothing, where other parts were changed. */
function writtenIn({ from }: Insertion, draft: Draft): readonly Line[] {
  const start = from.caret;
  const head = linesBetween(from, { line: 0, at: 0 }, start);
  const isKept = head.every((line, at) => line.every((item, index) => draft.lines[at]?.[index] === item));
  const isBehind = draft.caret.line > start.line || (draft.caret.line === start.line && draft.caret.at >= start.at);
  return isKept && isBehind ? linesBetween(draft, start, draft.caret) : [[]];
}

function writtenAgain(draft: Draft, command: Command, written: readonly Line[]): Draft {
  const times = command.type === "edit" ? (command.count ?? 1) - 1 : 0;
  const opensLine = command.type === "edit" && (command.name === "o" || command.name === "O");
  const piece = opensLine ? [[], ...written] : written;
  let all = draft;
  for (let left = times; left > 0; left -= 1) all = insertLines(all, piece);
  return all;
}

/** The last change once more, here. */
function again({ vim, draft }: Edited, count: number | null): Edited {
  if (vim.change === null) return { vim, draft };
  const { command, written } = vim.change;
  const counted = count === null ? command : { ...command, count };
  const begun = carryOut({ vim, draft }, counted);
  if (begun.vim.mode !== "insert") return begun;
  return leftInsert(begun.vim, insertLines(begun.draft, written));
}
