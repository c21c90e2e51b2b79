import type { SandboxLimits } from "../options.ts";
import type { SystemCalls } from "../seccomp/syscall-numbers.ts";
import type { CallArgument, TableCall } from "./call-table.ts";
import { assembleExecutable } from "./executable.ts";

/**
 * The first program inside: closes every descriptor that is not meant for the program (Node closes only those it knows of), sets the
 * limits where only the sandbox's own processes count, and becomes the program of its arguments. Ends with 127 if it cannot.
 */
export function assembleStarter(calls: SystemCalls, processor: string, limits: SandboxLimits): Uint8Array {
  const tried: readonly TableCall[] = [
    { call: "close_range", args: [firstOwn, lastDescriptor, 0] },
    limit(coreFile, 0),
    limit(fileSize, limits.fileBytes),
    limit(dataSize, limits.memoryBytes),
    limit(processCount, limits.processes),
    {
      call: "execve",
      args: [{ ownAddress: "first-argument" }, { ownAddress: "arguments" }, { ownAddress: "environment" }],
    },
    { call: "exit", args: [127] },
  ];
  return assembleExecutable(calls, processor, tried).file;
}

const firstOwn = 3;
const lastDescriptor = 0xffffffff;
/** `RLIMIT_…`, the same on the processors we know. */
const fileSize = 1;
const dataSize = 2;
const coreFile = 4;
const processCount = 6;

function limit(resource: number, value: number): TableCall {
  return { call: "prlimit64", args: [0, resource, twice(value), 0] };
}

/** `struct rlimit64`: nothing can raise it again. */
function twice(value: number): CallArgument {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(BigInt(value), 0);
  bytes.writeBigUInt64LE(BigInt(value), 8);
  return { bytes };
}
