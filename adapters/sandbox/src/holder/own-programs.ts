import { type CallArgument, cString, type TableCall } from "../machine-code/call-table.ts";
import { assembleExecutable } from "../machine-code/executable.ts";
import { assembleProbe, type ProbeProgram } from "../machine-code/probe-program.ts";
import type { Mount } from "../layout/profile.ts";
import type { SystemCalls } from "../seccomp/syscall-numbers.ts";

/** What the programs that enter a holder get as descriptors, from 3 on: themselves, and the holder's namespaces. */
export const joinDescriptors = { program: 3, user: 4, network: 5, mounts: 6, first: 7 } as const;

/**
 * The first program of a holder: lets what is mounted from now on reach those who are in it, says so with one byte, and ends when its
 * standard input does.
 */
export function holderProgram(calls: SystemCalls, processor: string): Uint8Array {
  const tried: readonly TableCall[] = [
    { call: "mount", args: [0, cString("/"), 0, recursive | shared, 0] },
    { call: "write", args: [1, cString("r"), 1] },
    { call: "read", args: [0, { roomBytes: 8 }, 1] },
    { call: "exit", args: [0] },
  ];
  return assembleExecutable(calls, processor, tried, "ends-at-failure").file;
}

/** Enters a holder and becomes the program of its arguments in it; ends with 127 if it cannot. */
export function joinProgram(calls: SystemCalls, processor: string): Uint8Array {
  const { user, network, mounts, program } = joinDescriptors;
  const tried: readonly TableCall[] = [
    { call: "setns", args: [user, userNamespace] },
    { call: "setns", args: [network, networkNamespace] },
    { call: "setns", args: [mounts, mountNamespace] },
    { call: "close_range", args: [program, mounts, 0] },
    {
      call: "execve",
      args: [{ ownAddress: "first-argument" }, { ownAddress: "arguments" }, { ownAddress: "environment" }],
    },
  ];
  return assembleExecutable(calls, processor, tried, "ends-at-failure").file;
}

/** How many calls each mount takes; the first of them fails when nothing is at the path, the third puts it in place. */
export const callsForMount = 4;

/**
 * Lays further mounts over what those in a holder see. Each is made aside and put in place when it is as it must be, for running
 * programs get it as it is at that moment.
 * @param sources  of `closed` ones: what there is for each source
 */
export function mountProgram(
  calls: SystemCalls,
  processor: string,
  { mounts, sources }: { readonly mounts: readonly Mount[]; readonly sources: ReadonlyMap<string, string> },
): ProbeProgram {
  return assembleProbe(
    calls,
    processor,
    mounts.flatMap((mount): readonly TableCall[] => {
      const source = mount.type === "closed" ? (sources.get(mount.source) ?? mount.source) : mount.path;
      const attributes: CallArgument = { bytes: attributesOf(mount) };
      const fromHere = [openedMount, cString("")] as const;
      return [
        { call: "open_tree", args: [atWorkingDirectory, cString(source), cloneTree | wholeTree | notFollowed] },
        { call: "mount_setattr", args: [...fromHere, emptyPath | wholeTree, attributes, 32] },
        { call: "move_mount", args: [...fromHere, atWorkingDirectory, cString(mount.path), fromDescriptor] },
        { call: "close", args: [openedMount] },
      ];
    }),
  );
}

/** `struct mount_attr`: what is set, cleared, how it is passed on, a user namespace. */
function attributesOf({ type }: Mount): Uint8Array {
  const bytes = Buffer.alloc(32);
  bytes.writeBigUInt64LE(type === "pinned" ? 0n : readOnly, 0);
  return bytes;
}

/** Linux, the same on the processors we know. */
const userNamespace = 0x10000000;
const networkNamespace = 0x40000000;
const mountNamespace = 0x20000;
/** `MS_REC`, `MS_SHARED` */
const recursive = 0x4000;
const shared = 0x100000;
const atWorkingDirectory = -100;
/** The program has nothing open but the three that everyone has. */
const openedMount = 3;
/** `OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC`, `AT_RECURSIVE`, `AT_SYMLINK_NOFOLLOW`, `AT_EMPTY_PATH` */
const cloneTree = 0x80001;
const wholeTree = 0x8000;
const notFollowed = 0x100;
const emptyPath = 0x1000;
/** `MOVE_MOUNT_F_EMPTY_PATH`; without `MOVE_MOUNT_T_SYMLINKS`: a link at the end is not followed. */
const fromDescriptor = 0x4;
/** `MOUNT_ATTR_RDONLY` */
const readOnly = 1n;
