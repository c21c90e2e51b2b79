import { closeSync, openSync, readSync } from "node:fs";
import { fileReadBytes, maxFileBytes } from "../limits.ts";

/** The lines of a file without their ends, read again whenever they are asked for. One that is far too long is no line of a session. */
export function fileLines(path: string): Iterable<string> {
  return { [Symbol.iterator]: () => linesOf(path) };
}

/** The first line, or the beginning of one that is longer than what is read at once. */
export function firstLine(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(fileReadBytes);
    const text = bytes.subarray(0, readSync(descriptor, bytes)).toString("utf8");
    return text.split("\n", 1)[0] ?? "";
  } finally {
    closeSync(descriptor);
  }
}

/** Split as bytes: a line break is no part of another character. */
function* linesOf(path: string): Generator<string> {
  const descriptor = openSync(path, "r");
  try {
    let parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const bytes = Buffer.alloc(fileReadBytes);
      const count = readSync(descriptor, bytes);
      if (count === 0) break;
      const read = bytes.subarray(0, count);
      let from = 0;
      for (let end = read.indexOf(lineEnd); end !== -1; end = read.indexOf(lineEnd, from)) {
        yield Buffer.concat([...parts, read.subarray(from, end)]).toString("utf8");
        [parts, length, from] = [[], 0, end + 1];
      }
      parts.push(read.subarray(from));
      length += count - from;
      if (length > maxFileBytes) throw new Error(`a line of it has more than ${maxFileBytes} bytes`);
    }
    yield Buffer.concat(parts).toString("utf8");
  } finally {
    closeSync(descriptor);
  }
}

const lineEnd = 10;
