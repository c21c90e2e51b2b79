import { TextDecoder } from "node:util";

/**
 * The text of a file, as a search sees it: UTF-8, or what its byte order mark says. Invalid bytes become U+FFFD.
 * @returns `undefined` for binary content
 */
export function decodeText(content: Buffer): string | undefined {
  const text = decoderFor(content).decode(content);
  return text.includes("\0") ? undefined : text;
}

/** Lines without their ends; the end of the last line does not begin another. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map(withoutLineEnd);
}

export function withoutLineEnd(line: string): string {
  return line.replace(/\r?\n$|\r$/, "");
}

function decoderFor(content: Buffer): TextDecoder {
  if (content[0] === 0xff && content[1] === 0xfe) return new TextDecoder("utf-16le");
  if (content[0] === 0xfe && content[1] === 0xff) return new TextDecoder("utf-16be");
  return new TextDecoder("utf-8");
}
