import type { PaintedCell, PaintedScreen } from "./paint-screen.ts";

/** Of a letter, in units of the picture. */
const cell = { width: 8.4, height: 18 } as const;
const margin = 14;
const background = "#16181d";
const plain = "#d8dbe2";

/** What a terminal of these lines shows, as a picture that every browser draws. */
export function screenSvg({ lines, top, caret }: PaintedScreen, title: string): string {
  const shown = lines.slice(top);
  const rows = shown.slice(0, shown.findLastIndex((line) => line.some(({ text }) => text.trim() !== "")) + 1);
  const columns = Math.max(...rows.map((row) => row.length));
  const [width, height] = [columns * cell.width + 2 * margin, rows.length * cell.height + 2 * margin];
  const size = `${width.toFixed(1)} ${height}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`,
    ...rows.flatMap((row, at) => rowParts(row, at)),
    `<rect x="${x(caret.column)}" y="${y(caret.row) - 13}" width="${cell.width}" height="16" fill="${plain}" opacity="0.6"/>`,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Cells of one style that stand side by side are one piece; its length keeps the columns where they are in any font. */
function rowParts(row: readonly PaintedCell[], at: number): readonly string[] {
  const parts: { readonly from: number; to: number; text: string; readonly style: string }[] = [];
  for (const [column, { text, style }] of row.entries()) {
    const last = parts.at(-1);
    if (last !== undefined && last.style === style) {
      last.to = column + 1;
      last.text += text;
    } else parts.push({ from: column, to: column + 1, text, style });
  }
  return parts.flatMap(({ from, to, text, style }) => partSvg({ from, to, text, style }, at));
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly style: string;
}

function partSvg({ from, to, text, style }: Part, row: number): readonly string[] {
  const look = lookOf(style);
  const shown = text.trim();
  const blanks = text.length - text.trimStart().length;
  const box = look.isInverse
    ? [`<rect x="${x(from)}" y="${y(row) - 13}" width="${wide(to - from)}" height="17" fill="${look.fill}"/>`]
    : [];
  if (shown === "") return box;
  const cells = to - from - (text.length - shown.length);
  const fill = look.isInverse ? background : look.fill;
  const attributes = `x="${x(from + blanks)}" y="${y(row)}" fill="${fill}" textLength="${wide(cells)}" lengthAdjust="spacingAndGlyphs"`;
  return [...box, `<text ${attributes}${look.attributes}>${escaped(shown)}</text>`];
}

function lookOf(style: string): { readonly fill: string; readonly isInverse: boolean; readonly attributes: string } {
  const color = /38;2;(\d+);(\d+);(\d+)/.exec(style);
  const [red, green, blue] = (color?.slice(1) ?? []).map(Number);
  const fill = red === undefined || green === undefined || blue === undefined ? plain : hex([red, green, blue]);
  const codes = style.replace(/38;2;\d+;\d+;\d+/, "").split(";");
  const attributes = [
    codes.includes("1") ? ' font-weight="bold"' : "",
    codes.includes("3") ? ' font-style="italic"' : "",
    codes.includes("4") ? ' text-decoration="underline"' : "",
  ].join("");
  return { fill, isInverse: codes.includes("7"), attributes };
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function x(column: number): string {
  return (margin + column * cell.width).toFixed(1);
}

function y(row: number): number {
  return margin + row * cell.height + 13;
}

function wide(cells: number): string {
  return (cells * cell.width).toFixed(1);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
