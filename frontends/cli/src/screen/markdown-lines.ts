import { type Block, type ListItem, type Span, textCells, textWidth } from "@capstan/view";

export interface DrawingOptions {
  /** Cells of a line. */
  readonly columns: number;
  readonly colors: boolean;
}

/** Narrower than this, words are no longer kept whole. */
const minColumns = 8;
const ruleColumns = 40;

/** Blocks of a Markdown text as lines of a terminal, none wider than it but for code, which stays as it is. */
export function markdownLines(blocks: readonly Block[], options: DrawingOptions): readonly string[] {
  return blocks.flatMap((block, at) => (at === 0 ? [] : [""]).concat(blockLines(block, options)));
}

function blockLines(block: Block, options: DrawingOptions): readonly string[] {
  switch (block.type) {
    case "paragraph":
      return wrapped(piecesOf(block.spans), options);
    case "heading":
      return wrapped([{ text: `${"#".repeat(block.level)} `, style: "1" }, ...piecesOf(block.spans, "1")], options);
    case "code":
      return block.text.split("\n").map((line) => `  ${painted({ text: line, style: "36" }, options)}`);
    case "quote":
      return markdownLines(block.blocks, narrower(options, 2)).map((line) => `│ ${line}`);
    case "list":
      return block.items.flatMap((item, at) => itemLines(item, markerOf(block.start, at), options));
    case "table":
      return tableLines(block, options);
    case "rule":
      return ["─".repeat(Math.min(ruleColumns, options.columns))];
  }
}

function narrower(options: DrawingOptions, by: number): DrawingOptions {
  return { ...options, columns: Math.max(minColumns, options.columns - by) };
}

function markerOf(start: number | null, at: number): string {
  return start === null ? "• " : `${start + at}. `;
}

function itemLines({ isDone, blocks }: ListItem, marker: string, options: DrawingOptions): readonly string[] {
  const head = `${marker}${isDone === null ? "" : isDone ? "[x] " : "[ ] "}`;
  const lines = blocks.flatMap((block) => blockLines(block, narrower(options, textWidth(head))));
  return (lines.length === 0 ? [""] : lines).map(
    (line, at) => `${at === 0 ? head : " ".repeat(textWidth(head))}${line}`,
  );
}

type Table = Extract<Block, { readonly type: "table" }>;

/** In columns where these fit, else each cell on a line of its own behind its column's name. */
function tableLines({ columns, rows }: Table, options: DrawingOptions): readonly string[] {
  const heads = columns.map(({ head }) => plainText(head));
  const cells = rows.map((row) => heads.map((_, at) => plainText(row[at] ?? [])));
  const widths = heads.map((head, at) => Math.max(...[head, ...cells.map((row) => row[at] ?? "")].map(textWidth)));
  const whole = widths.reduce((sum, width) => sum + width, 0) + 3 * Math.max(0, widths.length - 1);
  if (whole > options.columns) {
    return cells.flatMap((row) =>
      row.flatMap((cell, at) => wrapped([{ text: `${heads[at] ?? ""}: ${cell}`, style: "" }], options)),
    );
  }
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => `${cell}${" ".repeat((widths[at] ?? 0) - textWidth(cell))}`)
      .join(" │ ")
      .trimEnd();
  return [painted({ text: line(heads), style: "1" }, options), ...cells.map(line)];
}

interface Piece {
  readonly text: string;
  /** Codes of the terminal, with `;`; empty: none. */
  readonly style: string;
}

function piecesOf(spans: readonly Span[], style = ""): readonly Piece[] {
  const within = (code: string): string => (style === "" ? code : `${style};${code}`);
  return spans.flatMap((span): readonly Piece[] => {
    switch (span.type) {
      case "text":
        return [{ text: span.text, style }];
      case "strong":
        return piecesOf(span.spans, within("1"));
      case "emphasis":
        return piecesOf(span.spans, within("3"));
      case "strike":
        return piecesOf(span.spans, within("9"));
      case "code":
        return [{ text: span.text, style: within("36") }];
      case "link":
        return [...piecesOf(span.spans, within("4")), ...addressOf(span.target)];
      case "image":
        return [{ text: `[image: ${span.text}]`, style }, ...addressOf(span.target)];
      case "break":
        return [{ text: "\n", style }];
    }
  });
}

/** What a user might open is shown where the words say something else. */
function addressOf({ address, differs }: { readonly address: string; readonly differs: boolean }): readonly Piece[] {
  return differs ? [{ text: ` (${address})`, style: "2" }] : [];
}

function plainText(spans: readonly Span[]): string {
  return piecesOf(spans)
    .map(({ text }) => text)
    .join("")
    .replaceAll("\n", " ");
}

function painted({ text, style }: Piece, { colors }: DrawingOptions): string {
  return colors && style !== "" && text !== "" ? `\u001b[${style}m${text}\u001b[0m` : text;
}

/** Words in lines; one that is wider than a line is cut. A line end of the text ends a line. */
function wrapped(pieces: readonly Piece[], options: DrawingOptions): readonly string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  const end = (): void => {
    lines.push(line);
    [line, width] = ["", 0];
  };
  for (const word of wordsOf(pieces)) {
    if (word === "end") {
      end();
      continue;
    }
    const wide = word.pieces.reduce((sum, { text }) => sum + textWidth(text), 0);
    const gap = width > 0 && word.isApart ? 1 : 0;
    if (width > 0 && width + gap + wide > options.columns) end();
    else if (gap === 1) [line, width] = [`${line} `, width + 1];
    for (const piece of word.pieces) {
      let part = "";
      for (const [grapheme, cells] of textCells(piece.text)) {
        if (width > 0 && width + cells > options.columns) {
          line += painted({ text: part, style: piece.style }, options);
          part = "";
          end();
        }
        part += grapheme;
        width += cells;
      }
      line += painted({ text: part, style: piece.style }, options);
    }
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines;
}

interface Word {
  readonly pieces: Piece[];
  /** A blank stands before it. */
  readonly isApart: boolean;
}

/** A word may be of several styles. */
function wordsOf(pieces: readonly Piece[]): readonly (Word | "end")[] {
  const words: (Word | "end")[] = [];
  let isApart = true;
  for (const { text, style } of pieces) {
    for (const part of text.split(/(\n|[ \t]+)/)) {
      if (part === "") continue;
      const last = words.at(-1);
      if (part === "\n") words.push("end");
      if (part.trim() === "") isApart = true;
      else if (isApart || last === undefined || last === "end") {
        words.push({ pieces: [{ text: part, style }], isApart: true });
        isApart = false;
      } else last.pieces.push({ text: part, style });
    }
  }
  return words;
}
