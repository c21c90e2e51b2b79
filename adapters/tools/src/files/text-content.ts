import { isUtf8 } from "node:buffer";
import { binaryProbeBytes } from "./limits.ts";

/** A file's bytes as text: without its byte order mark, line ends as they are. */
export interface TextContent {
  readonly text: string;
  readonly byteOrderMark: boolean;
}

/** @returns `undefined` for what is not text: a NUL near the start, or not UTF-8 */
export function decodeText(content: Buffer): TextContent | undefined {
  if (content.subarray(0, binaryProbeBytes).includes(0) || !isUtf8(content)) return undefined;
  const byteOrderMark = content.subarray(0, 3).equals(utf8Mark);
  return { text: content.toString("utf8", byteOrderMark ? 3 : 0), byteOrderMark };
}

/** The bytes of a text, with the mark in front where the file had one. */
export function encodeText({ text, byteOrderMark }: TextContent): Buffer {
  return byteOrderMark ? Buffer.concat([utf8Mark, Buffer.from(text)]) : Buffer.from(text);
}

/** The lines of a text without their ends (LF or CRLF); a final line end does not begin another line. */
export function splitLines(text: string): readonly string[] {
  if (text === "") return [];
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

/** The bytes up to the last whole UTF-8 character, for content that was cut at a number of bytes. */
export function withoutCutCharacter(content: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, content.length); back += 1) {
    const byte = content[content.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? content.subarray(0, content.length - back) : content;
  }
  return content;
}

/** What a file that is not text probably is, for people and models. */
export function guessBinaryKind(content: Buffer): string {
  const start = content.subarray(0, 16).toString("latin1");
  const kind = signatures.find(([signature]) => start.startsWith(signature))?.[1];
  if (kind !== undefined) return kind;
  return content.subarray(0, binaryProbeBytes).includes(0) ? "binary data" : "text in another encoding than UTF-8";
}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

// First bytes, as latin-1, of what repositories hold.
const signatures: readonly (readonly [signature: string, kind: string])[] = [
  ["\x89PNG", "PNG image"],
  ["\xff\xd8\xff", "JPEG image"],
  ["GIF8", "GIF image"],
  ["RIFF", "RIFF media (WebP, WAV or AVI)"],
  ["%PDF", "PDF document"],
  ["PK\x03\x04", "ZIP archive or Office document"],
  ["\x1f\x8b", "gzip archive"],
  ["BZh", "bzip2 archive"],
  ["\xfd7zXZ", "xz archive"],
  ["\x28\xb5\x2f\xfd", "zstd archive"],
  ["\x7fELF", "ELF program"],
  ["MZ", "Windows program"],
  ["\xcf\xfa\xed\xfe", "macOS program"],
  ["\xca\xfe\xba\xbe", "Java class or macOS program"],
  ["\0asm", "WebAssembly module"],
  ["SQLite format 3\0", "SQLite database"],
  ["wOF", "web font"],
  ["\xff\xfe", "UTF-16 text"],
  ["\xfe\xff", "UTF-16 text"],
];
