/** Text of a file as LP1 sees it: whole lines without their ends. */
export interface FileModel {
  readonly lines: readonly string[];
  /** Whether the last line has a line end. Always false when there are no lines. */
  readonly finalNewline: boolean;
  /** `null`: the file has no line end, so nothing is decided; LF is used when one is needed. */
  readonly eol: "\n" | "\r\n" | null;
  /** Both line ends occurred; `eol` is the more frequent one (LF on a tie), and all lines will be written with it. */
  readonly mixedEol: boolean;
  /** The file begins with a byte order mark. It is no part of the first line, and it survives every operation. */
  readonly byteOrderMark: boolean;
}

/** A file that does not exist yet. */
export const emptyFileModel: FileModel = {
  lines: [],
  finalNewline: false,
  eol: null,
  mixedEol: false,
  byteOrderMark: false,
};

const byteOrderMark = "\uFEFF";

/**
 * Reads bytes as lines.
 * @returns the model, or why the bytes cannot be patched as text, with the 1-based line
 */
export function readFileModel(
  bytes: Uint8Array,
): { readonly type: "text"; readonly model: FileModel } | { readonly type: "not-text"; readonly problem: string } {
  const decoded = decodeUtf8(bytes);
  if (decoded === undefined) {
    return { type: "not-text", problem: `Invalid UTF-8 in file (line ${firstInvalidLine(bytes)})` };
  }
  const bareAt = decoded.search(/\r(?!\n)/);
  if (bareAt >= 0) return { type: "not-text", problem: `Bare CR in file (line ${lineAt(decoded, bareAt)})` };
  return { type: "text", model: modelOf(decoded) };
}

/** The text of a model: lines joined by their line end, one more at the end where `finalNewline` says so. */
export function emitFileModel(model: FileModel): string {
  const eol = model.eol ?? "\n";
  const mark = model.byteOrderMark ? byteOrderMark : "";
  return mark + model.lines.join(eol) + (model.finalNewline ? eol : "");
}

function modelOf(decoded: string): FileModel {
  const marked = decoded.startsWith(byteOrderMark);
  const text = marked ? decoded.slice(byteOrderMark.length) : decoded;
  const rawLines = text.split("\n");
  const finalNewline = rawLines.at(-1) === "" && rawLines.length > 1;
  // The piece after the last line end is a line only when it holds something.
  const lastPiece = rawLines.at(-1) === "" ? rawLines.length - 1 : rawLines.length;
  const boundaries = rawLines.length - 1;
  const lines = rawLines.slice(0, lastPiece).map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const crlfCount = rawLines.filter((line) => line.endsWith("\r")).length;
  return {
    lines,
    finalNewline,
    eol: boundaries === 0 ? null : crlfCount > boundaries - crlfCount ? "\r\n" : "\n",
    mixedEol: crlfCount > 0 && crlfCount < boundaries,
    byteOrderMark: marked,
  };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the only thing a fatal decoder throws
  }
}

function firstInvalidLine(bytes: Uint8Array): number {
  let start = 0;
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    // The last line has no end of its own.
    if (end < 0 || decodeUtf8(bytes.subarray(start, end)) === undefined) return line;
    start = end + 1;
  }
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
