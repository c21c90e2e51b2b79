import type { UserContent } from "@capstan/protocol";

/** Something that stands in a draft as one letter: its label is shown, and its content is sent. */
export type Token =
  | { readonly type: "paste"; readonly number: number; readonly text: string }
  /** `data`: base64. */
  | {
      readonly type: "image";
      readonly number: number;
      readonly mediaType: string;
      readonly data: string;
      readonly name?: string;
    };

/** A letter as a terminal draws it, or a token. */
export type Item = string | Token;

/** A line of the text; never changed, so that what was worked out of it can be remembered by it. */
export type Line = readonly Item[];

/** A place between items. */
export interface Place {
  readonly line: number;
  readonly at: number;
}

/** What a user writes, and where. Nothing in it changes: an edit makes another. */
export interface Draft {
  /** At least one. */
  readonly lines: readonly Line[];
  readonly caret: Place;
  /** Cell that moving up and down aims at; `null`: the caret's own. */
  readonly goal: number | null;
  /** What was taken out last, for `yank`. */
  readonly killed: readonly Line[];
  readonly past: readonly Version[];
  readonly future: readonly Version[];
  /** Number of the last token. */
  readonly tokens: number;
  /** Typing goes into one version until something else is done. */
  readonly isTyping: boolean;
}

export interface Version {
  readonly lines: readonly Line[];
  readonly caret: Place;
}

export const emptyDraft: Draft = {
  lines: [[]],
  caret: { line: 0, at: 0 },
  goal: null,
  killed: [],
  past: [],
  future: [],
  tokens: 0,
  isTyping: false,
};

const versionsKept = 200;
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const ascii = /^[ -~]*$/;

export function draftOf(text: string): Draft {
  const lines = linesOf(text);
  return { ...emptyDraft, lines, caret: endOf(lines) };
}

export function isEmptyDraft({ lines }: Draft): boolean {
  return lines.length === 1 && lines[0]?.length === 0;
}

/** As it is shown: tokens as their labels. */
export function draftText({ lines }: Pick<Draft, "lines">): string {
  return lines.map((line) => line.map(labelOf).join("")).join("\n");
}

export function labelOf(item: Item): string {
  if (typeof item === "string") return item;
  if (item.type === "image") return `[Image #${item.number}]`;
  const lines = item.text.split("\n").length;
  return `[Paste #${item.number} ${lines === 1 ? `${item.text.length} characters` : `${lines} lines`}]`;
}

/** What is sent: pastes as their texts, images as what they are. */
export function expandDraft({ lines }: Draft): readonly UserContent[] {
  const parts: UserContent[] = [];
  let text = "";
  const end = (): void => {
    if (text.trim() !== "") parts.push({ type: "text", text });
    text = "";
  };
  for (const [at, line] of lines.entries()) {
    if (at > 0) text += "\n";
    for (const item of line) {
      if (typeof item === "string") text += item;
      else if (item.type === "paste") text += item.text;
      else {
        end();
        const { mediaType, data, name } = item;
        parts.push({ type: "media", mediaType, data, ...(name === undefined ? {} : { name }) });
      }
    }
  }
  end();
  return parts;
}

/** Typed text, which may hold line ends. */
export function insertText(draft: Draft, text: string): Draft {
  const begun = draft.isTyping && !text.includes("\n") ? draft : remembered(draft);
  return { ...insertLines(begun, linesOf(text)), isTyping: !/\s/.test(text) };
}

export interface PasteLimits {
  readonly lines: number;
  readonly characters: number;
}

/** A paste that is short is text like any other; a long one is one token. */
export function insertPaste(draft: Draft, text: string, limits: PasteLimits): Draft {
  const isShort = text.length <= limits.characters && text.split("\n").length <= limits.lines;
  if (isShort) return { ...insertLines(remembered(draft), linesOf(text)), isTyping: false };
  return insertToken(draft, (number) => ({ type: "paste", number, text }));
}

export function insertImage(draft: Draft, image: Omit<Extract<Token, { type: "image" }>, "type" | "number">): Draft {
  return insertToken(draft, (number) => ({ type: "image", number, ...image }));
}

function insertToken(draft: Draft, token: (number: number) => Token): Draft {
  const number = draft.tokens + 1;
  return { ...insertLines(remembered(draft), [[token(number)]]), tokens: number, isTyping: false };
}

/** The draft with what it is now as a version to return to. */
export function remembered(draft: Draft): Draft {
  const { lines, caret, past } = draft;
  return {
    ...draft,
    past: [...past.slice(1 - versionsKept), { lines, caret }],
    future: [],
    isTyping: false,
    goal: null,
  };
}

/** Puts lines in at the caret; letters that stand next to each other may become one. */
export function insertLines(draft: Draft, inserted: readonly Line[]): Draft {
  const { lines, caret } = draft;
  const line = lines[caret.line] ?? [];
  const [head, tail] = [line.slice(0, caret.at), line.slice(caret.at)];
  const [first = [], ...more] = inserted;
  const last = more.at(-1);
  if (last === undefined) {
    const before = joined(head, first);
    const whole = joined(before, tail);
    const at = Math.min(before.length, whole.length);
    return placed(draft, spliced(lines, caret.line, 1, [whole]), { line: caret.line, at });
  }
  const end = joined(last, tail);
  const put = [joined(head, first), ...more.slice(0, -1), end];
  return placed(draft, spliced(lines, caret.line, 1, put), {
    line: caret.line + more.length,
    at: Math.min(last.length, end.length),
  });
}

/** Takes out what lies between two places, and puts the caret there. */
export function removeBetween(draft: Draft, one: Place, other: Place): Draft {
  const [from, to] = isBefore(one, other) ? [one, other] : [other, one];
  const head = (draft.lines[from.line] ?? []).slice(0, from.at);
  const tail = (draft.lines[to.line] ?? []).slice(to.at);
  const whole = joined(head, tail);
  const lines = spliced(draft.lines, from.line, to.line - from.line + 1, [whole]);
  return placed(draft, lines, { line: from.line, at: Math.min(from.at, whole.length) });
}

/** What lies between two places, as lines. */
export function linesBetween({ lines }: Draft, one: Place, other: Place): readonly Line[] {
  const [from, to] = isBefore(one, other) ? [one, other] : [other, one];
  return lines.slice(from.line, to.line + 1).map((line, at) => {
    const isLast = from.line + at === to.line;
    return line.slice(at === 0 ? from.at : 0, isLast ? to.at : undefined);
  });
}

export function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.at <= other.at);
}

export function placed(draft: Draft, lines: readonly Line[], caret: Place): Draft {
  return { ...draft, lines, caret, goal: null };
}

export function endOf(lines: readonly Line[]): Place {
  return { line: lines.length - 1, at: lines.at(-1)?.length ?? 0 };
}

/** Text as lines of letters. Control characters but tabs are left out: a terminal would obey them. */
export function linesOf(text: string): readonly Line[] {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => lettersOf(line.replaceAll(controls, "")));
}

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is meant
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;

function lettersOf(text: string): Line {
  return ascii.test(text) ? text.split("") : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Two runs of items; letters at the seam that are one letter together become one. */
function joined(head: Line, tail: Line): Line {
  let seam: Line = head.slice(-1);
  let taken = 0;
  // What the seam changes may change what follows: two signs make a flag, and the next two another.
  for (;;) {
    const [last, first] = [seam.at(-1), tail[taken]];
    if (typeof last !== "string" || typeof first !== "string" || (ascii.test(last) && ascii.test(first))) break;
    const both = lettersOf(last + first);
    if (both.length === 2 && both[0] === last) break;
    seam = [...seam.slice(0, -1), ...both];
    taken += 1;
  }
  return [...head.slice(0, -1), ...seam, ...tail.slice(taken)];
}

/** A line whose letters were changed one by one: what is one letter together becomes one. */
export function relettered(line: Line): Line {
  const made: Item[] = [];
  let letters = "";
  for (const item of line) {
    if (typeof item === "string") letters += item;
    else {
      made.push(...lettersOf(letters), item);
      letters = "";
    }
  }
  return [...made, ...lettersOf(letters)];
}

function spliced(lines: readonly Line[], at: number, count: number, put: readonly Line[]): readonly Line[] {
  return [...lines.slice(0, at), ...put, ...lines.slice(at + count)];
}
