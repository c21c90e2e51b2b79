import { bytesOf } from "@capstan/byte-paths";
import { numberOf } from "../seccomp/assemble-filter.ts";
import type { SystemCall, SystemCalls } from "../seccomp/syscall-numbers.ts";

/** What a system call is given: a number, bytes in memory, room that it fills, or what its program was started with. */
export type CallArgument =
  | number
  | { readonly bytes: Uint8Array }
  | { readonly roomBytes: number }
  /** A structure of fields of 8 bytes each: what a field is given as is laid out beside it, and the field is its address. */
  | { readonly fields: readonly CallArgument[] }
  | { readonly ownAddress: "first-argument" | "arguments" | "environment" };

export interface TableCall {
  readonly call: SystemCall;
  readonly args: readonly CallArgument[];
}

/** A table of calls as it lies in memory. */
export interface CallTable {
  readonly content: Uint8Array;
  /** Where each call's room lies in it. */
  readonly rooms: readonly { readonly start: number; readonly length: number }[];
}

/** A number and six arguments. */
export const entryBytes = 56;

/**
 * Lays calls out as a table: each a number and six arguments of 8 bytes, behind them all that arguments point to. What a call gives
 * takes the place of its number.
 * @param address  where the table will lie
 */
export function layOutCalls(calls: SystemCalls, tried: readonly TableCall[], address: number): CallTable {
  const table = new DataView(new ArrayBuffer(tried.length * entryBytes));
  const memory: Uint8Array[] = [];
  let end = table.byteLength;
  const place = (bytes: Uint8Array): number => {
    memory.push(bytes);
    end += bytes.length;
    return end - bytes.length;
  };
  const valueOf = (argument: CallArgument): number => {
    if (typeof argument === "number") return argument;
    // The program finds that out by itself.
    if ("ownAddress" in argument) return 0;
    return address + place("fields" in argument ? wordsOf(argument.fields.map(valueOf)) : memoryFor(argument));
  };
  const rooms = tried.map(({ call, args }, index) => {
    table.setBigInt64(index * entryBytes, BigInt(numberOf(calls, call)), true);
    let room = { start: 0, length: 0 };
    for (const [position, argument] of args.entries()) {
      const value = valueOf(argument);
      if (typeof argument !== "number" && "roomBytes" in argument) {
        room = { start: value - address, length: argument.roomBytes };
      }
      table.setBigInt64(index * entryBytes + 8 * (position + 1), BigInt(value), true);
    }
    return room;
  });
  return { content: Buffer.concat([new Uint8Array(table.buffer), ...memory]), rooms };
}

/** Text as the kernel takes it. */
export function cString(text: string): CallArgument {
  return { bytes: Buffer.concat([bytesOf(text), new Uint8Array(1)]) };
}

/** In steps of 8, so that each structure starts where the kernel expects it. */
function memoryFor(argument: { readonly bytes: Uint8Array } | { readonly roomBytes: number }): Uint8Array {
  const bytes = "bytes" in argument ? argument.bytes : new Uint8Array(argument.roomBytes);
  return Buffer.concat([bytes, new Uint8Array((8 - (bytes.length % 8)) % 8)]);
}

function wordsOf(values: readonly number[]): Uint8Array {
  const words = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) words.writeBigInt64LE(BigInt(value), index * 8);
  return words;
}
