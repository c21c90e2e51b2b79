import type { SystemCalls } from "../seccomp/syscall-numbers.ts";
import { entryBytes, layOutCalls, type TableCall } from "./call-table.ts";
import { assembleExecutable, tableAddress } from "./executable.ts";

export interface ProbeProgram {
  /** An executable for this processor. */
  readonly file: Uint8Array;
  /** @returns of each call what it gave (negative: the error number) and what it filled; `undefined` when it is not this program's output */
  readonly read: (output: Uint8Array) => readonly CallResult[] | undefined;
}

export interface CallResult {
  readonly value: number;
  readonly filled: Uint8Array;
}

/** A program that makes system calls, writes out its table with what they gave, and ends. */
export function assembleProbe(calls: SystemCalls, processor: string, tried: readonly TableCall[]): ProbeProgram {
  const withEnd = (bytes: number): readonly TableCall[] => [
    ...tried,
    { call: "write", args: [1, tableAddress, bytes] },
    { call: "exit", args: [0] },
  ];
  const { length } = layOutCalls(calls, withEnd(0), tableAddress).content;
  const { file, table } = assembleExecutable(calls, processor, withEnd(length));
  return {
    file,
    read: (output) => {
      if (output.length !== length) return undefined;
      const results = new DataView(output.buffer, output.byteOffset, output.length);
      return tried.map((_, index) => {
        const { start = 0, length: filled = 0 } = table.rooms[index] ?? {};
        const value = Number(results.getBigInt64(index * entryBytes, true));
        return { value, filled: output.subarray(start, start + filled) };
      });
    },
  };
}
