import { blockedCalls, type SystemCall, type SystemCalls } from "./syscall-numbers.ts";

/**
 * The filter of system calls, as classic BPF in the byte order of the processors it is for (little-endian): what is not named is
 * allowed. What is refused fails with an error number, so that programs can do without; calls by another convention than the
 * processor's own end the program, for their numbers mean other calls.
 * @see man 2 seccomp
 */
export function assembleFilter(calls: SystemCalls): Uint8Array {
  const { numbers } = calls;
  return encode([
    load(architectureOffset),
    jump(jumpIfEqual, calls.architecture, 1, 0),
    give(killProcess),
    load(numberOffset),
    ...(calls.foreignFrom === undefined ? [] : [jump(jumpIfAtLeast, calls.foreignFrom, 0, 1), give(killProcess)]),
    ...blockedCalls.flatMap((name) => refuse(numbers[name])),
    // Its flags lie in memory, where a filter cannot look; the C library then uses clone.
    ...refuse(numbers.clone3, functionNotThere),
    ...onlyIf(numbers.socket, [
      load(lowWordOf(0)),
      ...allowedFamilies.flatMap((family) => [jump(jumpIfEqual, family, 0, 1), give(allow)]),
      give(notPermitted),
    ]),
    // A pair is connected already and stays so, except datagrams: they could be sent to any socket there is.
    ...onlyIf(numbers.socketpair, [
      load(lowWordOf(1)),
      { code: andConstant, ifTrue: 0, ifFalse: 0, value: 0xf },
      ...connectedTypes.flatMap((type) => [jump(jumpIfEqual, type, 0, 1), give(allow)]),
      give(notPermitted),
    ]),
    ...onlyIf(numbers.ioctl, [
      load(lowWordOf(1)),
      ...terminalInjections.flatMap((request) => [jump(jumpIfEqual, request, 0, 1), give(notPermitted)]),
      give(allow),
    ]),
    ...refuseBits(numbers.clone, 0, newNamespaces),
    ...refuseBits(numbers.unshare, 0, newNamespaces | newTime),
    ...refuseBits(numbers.chmod, 1, setUserId),
    ...refuseBits(numbers.fchmod, 1, setUserId),
    ...refuseBits(numbers.fchmodat, 2, setUserId),
    ...refuseBits(numbers.fchmodat2, 2, setUserId),
    ...refuse(numbers.openat2, functionNotThere),
    ...refuseBits(numbers.creat, 1, setUserId),
    ...refuseBits(numbers.mknod, 1, setUserId),
    ...refuseBits(numbers.mknodat, 2, setUserId),
    ...refuseMade(numbers.open, 1),
    ...refuseMade(numbers.openat, 2),
    give(allow),
  ]);
}

/** Which call the filter answers how is also what the self-test expects. */
export function numberOf(calls: SystemCalls, name: SystemCall): number {
  const number = calls.numbers[name];
  if (number === undefined) throw new RangeError(`this processor has no call "${name}"`);
  return number;
}

interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

/** Of linux/bpf_common.h. */
const loadWord = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const jumpIfAnyBit = 0x45;
const andConstant = 0x54;
const returnConstant = 0x06;
/** Of linux/seccomp.h. */
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const notPermitted = 0x00050000 | 1;
const functionNotThere = 0x00050000 | 38;
/** Of `struct seccomp_data`. */
const numberOffset = 0;
const architectureOffset = 4;
const lowWordOf = (argument: number): number => 16 + 8 * argument;

/** `AF_INET`, `AF_INET6`, `AF_NETLINK`: what a network namespace holds. Unix sockets, the machine's host (vsock) and others are not in it. */
const allowedFamilies: readonly number[] = [2, 10, 16];
/** `SOCK_STREAM`, `SOCK_SEQPACKET` */
const connectedTypes: readonly number[] = [1, 5];
/** `TIOCSTI`, `TIOCLINUX`: typing into somebody's terminal. */
const terminalInjections: readonly number[] = [0x5412, 0x541c];
/** `CLONE_NEW…`: mounts, cgroups, names, messages, users, processes, network. */
const newNamespaces = 0x7e020000;
/** `CLONE_NEWTIME`, which clone uses for something else. */
const newTime = 0x80;
/** `S_ISUID` */
const setUserId = 0o4000;
/** `O_CREAT`, and `O_TMPFILE` without `O_DIRECTORY` */
const makesFile = 0o20000100;

function load(offset: number): Instruction {
  return { code: loadWord, ifTrue: 0, ifFalse: 0, value: offset };
}

function jump(code: number, value: number, ifTrue: number, ifFalse: number): Instruction {
  return { code, ifTrue, ifFalse, value };
}

function give(value: number): Instruction {
  return { code: returnConstant, ifTrue: 0, ifFalse: 0, value };
}

function refuse(number: number | undefined, answer = notPermitted): readonly Instruction[] {
  return number === undefined ? [] : [jump(jumpIfEqual, number, 0, 1), give(answer)];
}

/** @param body  gives an answer whatever happens: the number of the call is no longer loaded behind it */
function onlyIf(number: number | undefined, body: readonly Instruction[]): readonly Instruction[] {
  return number === undefined ? [] : [jump(jumpIfEqual, number, 0, body.length), ...body];
}

function refuseBits(number: number | undefined, argument: number, bits: number): readonly Instruction[] {
  return onlyIf(number, [load(lowWordOf(argument)), jump(jumpIfAnyBit, bits, 0, 1), give(notPermitted), give(allow)]);
}

/** Without a file to be made the mode says nothing, and holds anything. @param flags  the argument before the mode */
function refuseMade(number: number | undefined, flags: number): readonly Instruction[] {
  return onlyIf(number, [
    load(lowWordOf(flags)),
    jump(jumpIfAnyBit, makesFile, 1, 0),
    give(allow),
    load(lowWordOf(flags + 1)),
    jump(jumpIfAnyBit, setUserId, 0, 1),
    give(notPermitted),
    give(allow),
  ]);
}

function encode(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(instructions.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, { code, ifTrue, ifFalse, value }] of instructions.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, value >>> 0, true);
  }
  return bytes;
}
