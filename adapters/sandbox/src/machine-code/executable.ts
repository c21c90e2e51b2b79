import type { SystemCalls } from "../seccomp/syscall-numbers.ts";
import { type CallArgument, entryBytes, layOutCalls, type CallTable, type TableCall } from "./call-table.ts";

export interface CallProgram {
  /** An executable for this processor. */
  readonly file: Uint8Array;
  readonly table: CallTable;
}

/** Where the table of a program lies in its memory. */
export const tableAddress = 0x400200;

/** What follows a call that fails: the next one, or the end of the program with the code 127. */
export type CallEnding = "continues" | "ends-at-failure";

/**
 * An executable that makes the system calls of a table one after the other, until one of them ends it or runs another program.
 * No shell and no tool can make all of them, and starting it takes less than a millisecond.
 */
export function assembleExecutable(
  calls: SystemCalls,
  processor: string,
  tried: readonly TableCall[],
  ending: CallEnding = "continues",
): CallProgram {
  const table = layOutCalls(calls, tried, tableAddress);
  const code = (processor === "arm64" ? arm64Code : x64Code)(ownAddressesIn(tried), ending);
  return { file: elfFile(calls, code, table.content), table };
}

const loadAddress = 0x400000;
const headerBytes = 64 + 56;
/** Behind the headers and the code. */
const tableOffset = tableAddress - loadAddress;

interface OwnAddress {
  readonly kind: Extract<CallArgument, { readonly ownAddress: string }>["ownAddress"];
  /** In the table, in bytes. */
  readonly offset: number;
}

function ownAddressesIn(tried: readonly TableCall[]): readonly OwnAddress[] {
  return tried.flatMap(({ args }, index) =>
    args.flatMap((argument, position) =>
      typeof argument !== "number" && "ownAddress" in argument
        ? [{ kind: argument.ownAddress, offset: index * entryBytes + 8 * (position + 1) }]
        : [],
    ),
  );
}

function x64Code(own: readonly OwnAddress[], ending: CallEnding): Uint8Array {
  const begin = Buffer.alloc(10);
  begin.writeUInt16LE(0xbb48);
  begin.writeBigUInt64LE(BigInt(tableAddress), 2);
  // mov rax,[rsp]; lea rcx,[rsp+16]; lea rdx,[rsp+rax*8+16]; mov rdi,[rsp+16]
  const addresses = own.length === 0 ? "" : "488b0424488d4c2410488d54c410488b7c2410";
  // mov [rbx+offset], rdi, rcx or rdx
  const store = { "first-argument": 0xbb8948, arguments: 0x8b8948, environment: 0x938948 };
  const stores = own.map(({ kind, offset }) => {
    const bytes = Buffer.alloc(7);
    bytes.writeUIntLE(store[kind], 0, 3);
    bytes.writeUInt32LE(offset, 3);
    return bytes;
  });
  // mov rax,[rbx]; rdi, rsi, rdx, r10, r8, r9 from behind it; syscall
  const call = "488b03488b7b08488b7310488b53184c8b53204c8b43284c8b4b300f05";
  // mov [rbx],rax; add rbx,56; jmp. Or, before these: test rax,rax; js, to behind them: mov edi,127; mov eax,60 (exit); syscall
  const next = {
    continues: "4889034883c338ebda",
    "ends-at-failure": "4885c078094889034883c338ebd5bf7f000000b83c0000000f05",
  };
  const loop = call + next[ending];
  return Buffer.concat([begin, Buffer.from(addresses, "hex"), ...stores, Buffer.from(loop, "hex")]);
}

function arm64Code(own: readonly OwnAddress[], ending: CallEnding): Uint8Array {
  const store = { "first-argument": 0, arguments: 1, environment: 2 };
  const words = [
    0xd2800013 | ((tableAddress & 0xffff) << 5), // movz x19
    0xf2a00013 | ((tableAddress >>> 16) << 5), // movk x19, lsl 16
    0xf94003e0, // ldr x0, [sp]
    0x910043e1, // add x1, sp, 16
    0x8b000c22, // add x2, x1, x0, lsl 3
    0xf9400020, // ldr x0, [x1]
    ...own.map(({ kind, offset }) => 0xf9000260 | ((offset / 8) << 10) | store[kind]), // str, [x19, offset]
    0xf9400268, // ldr x8, [x19]
    0xa9408660, // ldp x0, x1, [x19, 8]
    0xa9418e62, // ldp x2, x3, [x19, 24]
    0xa9429664, // ldp x4, x5, [x19, 40]
    0xd4000001, // svc 0
    ...(ending === "continues"
      ? [
          0xf8038660, // str x0, [x19], 56
          0x17fffffa, // b -6
        ]
      : [
          0xb7f80060, // tbnz x0, 63, 3
          0xf8038660, // str x0, [x19], 56
          0x17fffff9, // b -7
          0xd2800fe0, // movz x0, 127
          0xd2800ba8, // movz x8, 93 (exit)
          0xd4000001, // svc 0
        ]),
  ];
  const bytes = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, index * 4);
  return bytes;
}

/** ELF, 64 bits, little-endian, version 1. */
const elfMark = "7f454c4602010100";

/** An ELF file with one segment that holds everything. */
function elfFile({ architecture }: SystemCalls, code: Uint8Array, content: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(tableOffset + content.length);
  bytes.set(Buffer.from(elfMark, "hex"));
  bytes.writeUInt16LE(2, 16);
  // The lower half of `AUDIT_ARCH_…` is ELF's own number.
  bytes.writeUInt16LE(architecture & 0xffff, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeBigUInt64LE(BigInt(loadAddress + headerBytes), 24);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(64, 52);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(1, 64);
  bytes.writeUInt32LE(7, 68);
  bytes.writeBigUInt64LE(BigInt(loadAddress), 80);
  bytes.writeBigUInt64LE(BigInt(loadAddress), 88);
  bytes.writeBigUInt64LE(BigInt(bytes.length), 96);
  bytes.writeBigUInt64LE(BigInt(bytes.length), 104);
  bytes.writeBigUInt64LE(0x10000n, 112);
  bytes.set(code, headerBytes);
  bytes.set(content, tableOffset);
  return bytes;
}
