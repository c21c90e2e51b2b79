/** Cells of a terminal that an inert text without line ends takes. */
export function textWidth(text: string): number {
  const plain = plainWidth(text);
  if (plain !== null) return plain;
  let width = 0;
  for (const { segment } of segmenter().segment(text)) width += graphemeWidth(segment);
  return width;
}

let graphemes: Intl.Segmenter | undefined;

/** Made when a text first needs it: its tables take longer to load than most runs take to print. */
function segmenter(): Intl.Segmenter {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return graphemes;
}

/** A text in the letters that a terminal draws one by one, each with its cells. */
export function* textCells(text: string): Generator<readonly [grapheme: string, width: number], void> {
  for (const { segment } of segmenter().segment(text)) yield [segment, graphemeWidth(segment)];
}

/** Of a text whose letters are all a code unit each and never join: it needs no segmenter. `null`: of any other. */
function plainWidth(text: string): number | null {
  let width = 0;
  for (let at = 0; at < text.length; at += 1) {
    const cells = plainCells(text.charCodeAt(at));
    if (cells === 0) return null;
    width += cells;
  }
  return width;
}

/** 0: not one of these letters. */
function plainCells(code: number): 0 | 1 | 2 {
  if (code >= 0x20 && code <= 0x7e) return 1;
  if (code < 0x2500) return 0;
  // Lines and boxes.
  if (code <= 0x259f) return 1;
  const isWide =
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa);
  return isWide ? 2 : 0;
}

function graphemeWidth(grapheme: string): number {
  const plain = grapheme.length === 1 ? plainCells(grapheme.charCodeAt(0)) : 0;
  if (plain > 0) return plain;
  const code = grapheme.codePointAt(0) ?? 0;
  if (/^[\p{M}\p{Cf}\p{Cc}]/u.test(grapheme)) return 0;
  // A picture that a text form exists of is wide when its colours are asked for.
  if (grapheme.includes("\ufe0f") || /^\p{Regional_Indicator}{2}/u.test(grapheme)) return 2;
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** Blocks whose letters take two cells: East Asian scripts and full-width forms, and pictures. */
const wide: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x2614, 0x2615],
  [0x26a1, 0x26a1],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2b50, 0x2b50],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a],
  [0x1f200, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];
