/** What an edit does to a text, or why it does not fit. Lines count from 1. */
export type Replacement =
  | { readonly type: "replaced"; readonly text: string; readonly count: number }
  | { readonly type: "no-match" }
  | { readonly type: "not-unique"; readonly count: number; readonly lines: readonly number[] }
  /** The result would be longer than allowed. */
  | { readonly type: "too-long" };

export interface TextEdit {
  /** Not empty. */
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
  /** UTF-16 units the result may have, LF counted for every line end. */
  readonly limitLength: number;
  /** Lines listed when the text occurs more than once. */
  readonly listedLines: number;
}

/**
 * Replaces an exact text. Where the file has CRLF line ends, an LF in the texts stands for either, and what is put in takes
 * the line ends of what it replaces, else those of most of the file. Who writes CR explicitly gets exactly what was written.
 */
export function replaceText(text: string, edit: TextEdit): Replacement {
  const literal = !text.includes("\r\n") || edit.oldText.includes("\r");
  if (literal && text.includes(edit.oldText)) return replaceIn({ view: text, carriageReturns: [] }, text, edit);
  const lenient = { ...edit, oldText: toLf(edit.oldText), newText: toLf(edit.newText) };
  return replaceIn(viewWithoutCr(text), text, lenient);
}

/** The text with LF only, and where in it a CR was left out (the index of the LF it stood before). */
interface LineEndView {
  readonly view: string;
  readonly carriageReturns: readonly number[];
}

function replaceIn(lineEnds: LineEndView, text: string, edit: TextEdit): Replacement {
  const { view } = lineEnds;
  const places = findPlaces(view, edit.oldText);
  const first = places[0];
  if (first === undefined) return { type: "no-match" };
  const overlapping = places.length === 1 ? view.indexOf(edit.oldText, first + 1) : -1;
  if (!edit.all && (places.length > 1 || overlapping !== -1)) {
    const all = overlapping === -1 ? places : [first, overlapping];
    return { type: "not-unique", count: all.length, lines: lineNumbers(view, all.slice(0, edit.listedLines)) };
  }
  const length = text.length + places.length * (edit.newText.length - edit.oldText.length);
  if (length > edit.limitLength) return { type: "too-long" };
  return { type: "replaced", text: joinPieces(lineEnds, text, edit, places), count: places.length };
}

function joinPieces(lineEnds: LineEndView, text: string, edit: TextEdit, places: readonly number[]): string {
  const { carriageReturns } = lineEnds;
  const usual = usualLineEnd(text, carriageReturns.length);
  const pieces: string[] = [];
  let passed = 0;
  let from = 0;
  // How many characters the file has more than the view, up to an index of the view.
  const offset = (index: number): number => {
    while ((carriageReturns[passed] ?? Infinity) < index) passed += 1;
    return index + passed;
  };
  for (const place of places) {
    const start = offset(place);
    const end = offset(place + edit.oldText.length);
    const lineEnd = carriageReturns.length === 0 ? "\n" : lineEndOf(text.slice(start, end), usual);
    pieces.push(text.slice(from, start), lineEnd === "\n" ? edit.newText : edit.newText.replaceAll("\n", lineEnd));
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join("");
}

function findPlaces(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function viewWithoutCr(text: string): LineEndView {
  const view = toLf(text);
  const carriageReturns: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) {
    carriageReturns.push(at - carriageReturns.length);
  }
  return { view, carriageReturns };
}

function usualLineEnd(text: string, crlfCount: number): string {
  let lfCount = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lfCount += 1;
  return crlfCount * 2 > lfCount ? "\r\n" : "\n";
}

function lineEndOf(replaced: string, usual: string): string {
  const at = replaced.indexOf("\n");
  if (at === -1) return usual;
  return at > 0 && replaced[at - 1] === "\r" ? "\r\n" : "\n";
}

function lineNumbers(text: string, places: readonly number[]): readonly number[] {
  const numbers: number[] = [];
  let line = 1;
  let from = 0;
  for (const place of places) {
    for (let at = text.indexOf("\n", from); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line += 1;
    from = place;
    numbers.push(line);
  }
  return numbers;
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
