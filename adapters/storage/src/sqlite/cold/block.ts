import type * as Zlib from "node:zlib";
import { maxBlockBytes } from "../../limits.ts";
import type { JournalRow } from "../journal-rows.ts";

/** Records of a journal that are stored compressed together. Their form is a line of `NUMBER TIME LINK JSON` for each; JSON has no line ends. */
export function encodeBlock(rows: readonly JournalRow[]): Uint8Array {
  const { constants, deflateSync } = zlib();
  const lines = rows.map(({ seq, at, hash, body }) => `${seq} ${at} ${hash ?? ""} ${body}`);
  return deflateSync(lines.join("\n"), { level: constants.Z_DEFAULT_COMPRESSION });
}

/** @returns `undefined` for what is no block; zlib's own checksum finds what was changed */
export function decodeBlock(block: Uint8Array): readonly JournalRow[] | undefined {
  let text: string;
  try {
    text = zlib().inflateSync(block, { maxOutputLength: maxBlockBytes }).toString("utf8");
  } catch {
    return undefined;
  }
  const rows = text.split("\n").map(rowOf);
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

function rowOf(line: string): JournalRow | undefined {
  const [all, seq, at, hash, body] = /^(\d+) (-?\d+) ([0-9a-f]{64}) (.*)$/su.exec(line) ?? [];
  if (all === undefined || hash === undefined || body === undefined) return undefined;
  return { seq: Number(seq), at: Number(at), isRun: 0, hash, body, bytes: Buffer.byteLength(body) };
}

/** Loaded with the first block: most processes meet none. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule("node:zlib");
}
