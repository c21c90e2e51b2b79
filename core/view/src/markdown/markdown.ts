import type { Token } from "marked";
import { openMarkdownCharacters } from "../limits.ts";
import { emptyList, itemsOf, type PersistentList, withAppended } from "../transcript/persistent-list.ts";
import type { Block } from "./block.ts";
import { closes, codeLine, type Fence, fenceOf } from "./fence.ts";
import { codeBlock, readBlocks } from "./read-blocks.ts";
import { blockTokens } from "./tokens.ts";

/**
 * A Markdown text as far as it has come. Whoever drew it before draws what `final` got since, and `open` again: what is final never
 * changes. Plain JSON. However a text is cut into pieces, its blocks come out the same.
 */
export interface MarkdownText {
  readonly final: PersistentList<Block>;
  /** The last block, which what follows may still change; none at the beginning. */
  readonly open: readonly Block[];
  readonly source: OpenSource;
}

/** The part of the source that is not final. */
export type OpenSource =
  | { readonly type: "blocks"; readonly text: string }
  /** Code is not read again. `text`: its whole lines, inert; `line`: what has come of the next one. */
  | { readonly type: "code"; readonly fence: Fence; readonly text: string; readonly line: string };

export const emptyMarkdown: MarkdownText = { final: emptyList(), open: [], source: { type: "blocks", text: "" } };

/** One piece more. Total, for any text and any cut of it; costs what the piece and the last block cost. */
export function appendMarkdown({ final, source }: MarkdownText, piece: string): MarkdownText {
  const added = piece.replaceAll("\r", "");
  return source.type === "blocks"
    ? read(final, source.text + added)
    : read(final, source.line + added, { fence: source.fence, text: source.text });
}

/** All blocks of a whole text. */
export function parseMarkdown(text: string): readonly Block[] {
  return blocksOf(appendMarkdown(emptyMarkdown, text));
}

export function blocksOf({ final, open }: MarkdownText): readonly Block[] {
  return [...itemsOf(final), ...open];
}

interface OpenCode {
  readonly fence: Fence;
  readonly text: string;
}

/** What is final so far, and what of the source is left to read. */
interface Reading {
  readonly final: PersistentList<Block>;
  readonly text: string;
  /** The code that the text continues with. */
  readonly code: OpenCode | null;
  readonly isOver: boolean;
  /** The blocks of the text, where they were read already. */
  readonly open?: readonly Block[];
}

/** Every round takes something off the text, or is the last. */
function read(final: PersistentList<Block>, text: string, code: OpenCode | null = null): MarkdownText {
  let reading: Reading = { final, text, code, isOver: false };
  while (!reading.isOver) reading = reading.code === null ? readBlocksOnce(reading) : readCode(reading, reading.code);
  if (reading.code === null) {
    const open = reading.open ?? readBlocks(blockTokens(reading.text));
    return { final: reading.final, open, source: { type: "blocks", text: reading.text } };
  }
  const { fence, text: lines } = reading.code;
  // The last line of an answer often closes its code, and has no line end.
  const line = closes(reading.text, fence) ? "" : codeLine(reading.text, fence);
  const open = [codeBlock(fence.info, shownCode(lines + line))];
  return { final: reading.final, open, source: { type: "code", fence, text: lines, line: reading.text } };
}

/** Takes off the blocks that whole lines make and that nothing can change any more. */
function readBlocksOnce(reading: Reading): Reading {
  const head = wholeLines(reading.text);
  const [tokens, fenceAt] = tokensToFence(head);
  const lastAt = tokens.findLastIndex(({ type }) => type !== "space");
  const done = tokens.slice(0, Math.max(0, fenceAt === -1 ? lastAt : fenceAt));
  const final = readBlocks(done).reduce(withAppended<Block>, reading.final);
  const text = reading.text.slice(lengthOf(done));
  const fenced = tokens[fenceAt];
  const fence = fenced === undefined ? null : fenceOf(fenced);
  if (fence !== null) {
    const inside = text.slice(text.indexOf("\n") + 1);
    return { final, text: inside, code: { fence, text: "" }, isOver: false };
  }
  if (reading.text.length <= openMarkdownCharacters) {
    const isAll = head === reading.text;
    return { final, text, code: null, isOver: true, ...(isAll ? { open: readBlocks(tokens.slice(done.length)) } : {}) };
  }
  if (done.length > 0) return { final, text, code: null, isOver: false };
  // A block alone is longer than what is read again and again: it is cut.
  const cut = readBlocks(tokens).reduce(withAppended<Block>, final);
  return { final: cut, text: text.slice(head.length), code: null, isOver: false };
}

/** The blocks up to the first code, and the place of that among them; all of them, and -1, where there is none. */
function tokensToFence(head: string): readonly [tokens: readonly Token[], fenceAt: number] {
  // What follows the line that opens the code is read later: reading it here as well would be in vain.
  const opening = /^ {0,3}(?:`{3}|~{3}).*\n/m.exec(head);
  const short = opening === null ? "" : head.slice(0, opening.index + opening[0].length);
  for (const part of [short, head]) {
    const tokens = part === "" ? [] : blockTokens(part);
    const fenceAt = tokens.findIndex((token) => fenceOf(token) !== null);
    if (fenceAt !== -1 || part === head) return [tokens, fenceAt];
  }
  return [[], -1];
}

/** Line by line: what follows the code is not looked at, however long it is. */
function readCode(reading: Reading, { fence, text: before }: OpenCode): Reading {
  let text = before;
  let from = 0;
  for (;;) {
    const end = reading.text.indexOf("\n", from);
    if (end === -1) return { ...reading, text: reading.text.slice(from), code: { fence, text }, isOver: true };
    const line = reading.text.slice(from, end);
    from = end + 1;
    if (closes(line, fence)) break;
    text += `${codeLine(line, fence)}\n`;
  }
  const final = withAppended<Block>(reading.final, codeBlock(fence.info, shownCode(text)));
  return { final, text: reading.text.slice(from), code: null, isOver: false };
}

/** The whole lines at the beginning, as many as are read at once; of a line that is longer than that, a part. */
function wholeLines(text: string): string {
  if (text.length <= openMarkdownCharacters) return text.slice(0, text.lastIndexOf("\n") + 1);
  const head = text.slice(0, openMarkdownCharacters);
  const end = head.lastIndexOf("\n") + 1;
  return end > 0 ? head.slice(0, end) : head.replace(/[\ud800-\udbff]$/, "");
}

function lengthOf(tokens: readonly { readonly raw: string }[]): number {
  return tokens.reduce((sum, { raw }) => sum + raw.length, 0);
}

function shownCode(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}
