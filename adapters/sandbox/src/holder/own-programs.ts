import { type CallArgument, cString, type TableCall } from "../machine-code/call-table.ts";
import { assembleExecutable } from "../machine-code/executable.ts";
import { assembleProbe, type ProbeProgram } from "../machine-code/probe-program.ts";
import type { Mount } from "../layout/profile.ts";
import type { SystemCalls } from "../seccomp/syscall-numbers.ts";

/*
 * The programs of a holder, as tables of system calls. A holder keeps the namespaces that all commands of a session share:
 * - `holderProgram` runs as long as the session and does nothing but keep them alive;
 * - `joinProgram` enters them and becomes a command;
 * - `mountProgram` enters them and covers further paths while commands run;
 * - `listenerProgram` enters them and listens in their network.
 */

/** Descriptors of a program that enters a holder: its own file, the holder's namespaces, and the first that is free. */
export const joinDescriptors = { program: 3, user: 4, network: 5, mounts: 6, first: 7 } as const;

/**
 * The first program of a holder. It makes its mounts shared, so that later mounts reach the commands that run; it writes one byte when
 * that is done; then it waits until its standard input ends, and ends too.
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

/** Enters a holder's namespaces, closes their descriptors, and becomes the program named by its arguments. Ends with 127 if a call fails. */
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

/**
 * Enters a holder and listens on a port of its loopback; hands the listener out over the channel that Node gives to programs it starts,
 * as another Node would; and ends when somebody has taken it.
 */
export function listenerProgram(calls: SystemCalls, processor: string): Uint8Array {
  const message = Buffer.from('{"cmd":"NODE_HANDLE","type":"net.Server","msg":{}}\n');
  // `struct cmsghdr` (`SOL_SOCKET`, `SCM_RIGHTS`), and the one descriptor.
  const rights = Buffer.alloc(24);
  rights.writeBigUInt64LE(20n, 0);
  rights.writeInt32LE(1, 8);
  rights.writeInt32LE(1, 12);
  rights.writeInt32LE(firstFree, 16);
  const pieces: CallArgument = { fields: [{ bytes: message }, message.length] };
  // `struct msghdr`: no address, the pieces, what goes with them, no flags.
  const sent: CallArgument = { fields: [0, 0, pieces, 1, { bytes: rights }, rights.length, 0] };
  const tried: readonly TableCall[] = [
    { call: "socket", args: [internet, streamClosedOnExecution, 0] },
    { call: "bind", args: [firstFree, { bytes: loopbackAddress }, loopbackAddress.length] },
    { call: "listen", args: [firstFree, waitingConnections] },
    { call: "sendmsg", args: [channel, sent, 0] },
    { call: "read", args: [channel, { roomBytes: 8 }, 1] },
    { call: "exit", args: [0] },
  ];
  return assembleExecutable(calls, processor, tried, "ends-at-failure").file;
}

/** Behind the program's own file. */
const channel = joinDescriptors.first + 1;
/** `AF_INET`, `SOCK_STREAM | SOCK_CLOEXEC` */
const internet = 2;
const streamClosedOnExecution = 0o2000001;
/** `struct sockaddr_in`: 127.0.0.1, any port. */
const loopbackAddress = Buffer.from([internet, 0, 0, 0, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
const waitingConnections = 128;

/** System calls for each mount. The first fails when the source does not exist; the third puts the mount in place. */
export const callsForMount = 4;

/**
 * Adds mounts to a holder while commands run in it. Running commands see a mount from the moment it is put in place, so each one is
 * prepared apart from the tree first: opened as a copy, made read-only, then moved to its path.
 * @param sources  for `closed` mounts: the file or folder that stands for each source here
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
      const fromHere = [firstFree, cString("")] as const;
      return [
        { call: "open_tree", args: [atWorkingDirectory, cString(source), cloneTree | wholeTree | notFollowed] },
        { call: "mount_setattr", args: [...fromHere, emptyPath | wholeTree, attributes, 32] },
        { call: "move_mount", args: [...fromHere, atWorkingDirectory, cString(mount.path), fromDescriptor] },
        { call: "close", args: [firstFree] },
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
const firstFree = 3;
/** `OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC`, `AT_RECURSIVE`, `AT_SYMLINK_NOFOLLOW`, `AT_EMPTY_PATH` */
const cloneTree = 0x80001;
const wholeTree = 0x8000;
const notFollowed = 0x100;
const emptyPath = 0x1000;
/** `MOVE_MOUNT_F_EMPTY_PATH`; without `MOVE_MOUNT_T_SYMLINKS`: a link at the end is not followed. */
const fromDescriptor = 0x4;
/** `MOUNT_ATTR_RDONLY` */
const readOnly = 1n;
