import { launchDescriptors } from "../launch/launch-descriptors.ts";
import type { SystemCall } from "../seccomp/syscall-numbers.ts";
import { type CallArgument, cString, type TableCall } from "../machine-code/call-table.ts";
import type { CallResult } from "../machine-code/probe-program.ts";

/** Something that must be impossible inside. */
export interface Attempt {
  /** As users are shown it: what was possible. */
  readonly name: string;
  readonly calls: readonly TableCall[];
  /** @param results  of `calls`, in their order */
  readonly succeeded: (results: readonly CallResult[]) => boolean;
}

/** What of this machine the attempts are aimed at. */
export interface Target {
  readonly pid: number;
  /** Files that nobody inside may be able to open. */
  readonly unreadable: readonly string[];
  /** Files that would be new; whether they were made is looked at from outside. */
  readonly unwritable: readonly string[];
  /** The port of 127.0.0.1 on which this process listens. */
  readonly port: number;
  /** A folder that may be mounted on. */
  readonly folder: string;
  /** `/proc/self/ns/NAME` of this process. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Number of the process namespace of another command in the same holder. */
  readonly besideNamespace: string;
}

export function attemptsOn(target: Target): readonly Attempt[] {
  return [
    // First: they count on the number of the next descriptor.
    attempt("reach the network over TCP", connect(internet(outsideAddress, 9), nonBlocking), reachedOut),
    attempt("reach services of this machine over TCP", connect(internet(loopbackAddress, target.port), 0), reachedOut),
    attempt("reach the network over UDP", sendDatagram(internet(outsideAddress, 9)), reachedOut),
    ...target.unwritable.map((path) => attempt(`write to ${path}`, [open(path, writeNew)], never)),
    ...target.unreadable.map((path) => attempt(`read ${path}`, [open(path, readOnly)])),
    attempt("read the environment of Capstan", [open(`/proc/${target.pid}/environ`, readOnly)]),
    attempt(
      "signal processes of the machine",
      [call("kill", target.pid, 0)],
      (results) =>
        // The first processes of a namespace have the same numbers in each.
        target.pid > lowestTelling && worked(results),
    ),
    attempt("signal other commands", [call("kill", allOthers, 0)]),
    sharedNamespace("pid", `pid:[${target.besideNamespace}]`, "see the processes of other commands"),
    attempt(
      "use the descriptors by which it was started",
      // The lowest ones may be of attempts before.
      Array.from({ length: lastOfStart - firstOfStart + 1 }, (_, at) => call("close", firstOfStart + at)),
    ),
    ...Object.entries(target.namespaces).map(([name, link]) => sharedNamespace(name, link)),
    attempt("connect to Unix sockets", [call("socket", unixFamily, streamType, 0)]),
    attempt("send to Unix sockets", [call("socketpair", unixFamily, datagramType, 0, { roomBytes: 8 })]),
    attempt("talk to the machine below this one", [call("socket", machineFamily, streamType, 0)]),
    attempt("trace other processes", [call("ptrace", 0, 0, 0, 0)]),
    attempt("make user namespaces", [call("unshare", newUserNamespace)]),
    attempt("mount", [call("mount", cString("none"), cString(target.folder), cString("tmpfs"), 0, 0)]),
    ...filtered.map(([name, ...probe]) => attempt(name, [call(...probe)], (results) => !isFiltered(results))),
  ];
}

/** What the status of the program says must be so. @returns what is wrong with it */
export function lacksOfStatus(status: string): readonly string[] {
  const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, "m").exec(status)?.[1] ?? "missing";
  return [
    ...(/^0+$/.test(field("CapEff")) && /^0+$/.test(field("CapBnd")) ? [] : ["use capabilities"]),
    ...(field("NoNewPrivs") === "1" ? [] : ["gain rights by programs that give them"]),
    ...(field("Seccomp") === "2" ? [] : ["use every system call"]),
  ];
}

/** Reads what `lacksOfStatus` looks at, as the second of these. To be made first. */
export function readStatus(): readonly TableCall[] {
  return [
    open("/proc/self/status", readOnly),
    call("read", firstDescriptor, { roomBytes: 4_096 }, 4_096),
    call("close", firstDescriptor),
  ];
}

/** Proves that a program can work in a folder at all. */
export function writeFile(path: string): TableCall {
  return open(path, writeNew);
}

/** Calls that the filter refuses, with arguments that do no harm where it does not. */
const filtered: readonly (readonly [string, SystemCall, ...CallArgument[]])[] = [
  ["set the clock", "clock_settime", 0, 1],
  ["use io_uring", "io_uring_setup", 0, 1],
  ["use the kernel's keys", "keyctl", 0, 0, 0],
  ["load BPF programs", "bpf", 0, 1, 0],
  ["handle page faults", "userfaultfd", -1],
  ["watch performance counters", "perf_event_open", 1, 0, 0, 0, 0],
  ["type into terminals", "ioctl", 0, 0x5412, 1],
];

/** Linux, the same on the processors we know. */
const atWorkingDirectory = -100;
/** `O_RDONLY | O_NONBLOCK | O_CLOEXEC` */
const readOnly = 0o2004000;
/** `O_WRONLY | O_CREAT | O_EXCL` */
const writeNew = 0o301;
/** The program starts with the three everyone has. */
const firstDescriptor = 3;
const unixFamily = 1;
const internetFamily = 2;
const machineFamily = 40;
const streamType = 1;
const datagramType = 2;
const nonBlocking = 0o4000;
const newUserNamespace = 0x10000000;
const notPermitted = -1;
const inProgress = -115;
const functionNotThere = -38;
const lowestTelling = 3;
/** `kill(2)`: every process that may be signalled, but for oneself and the first. */
const allOthers = -1;
/** What a command is started with lies in between. */
const firstOfStart = launchDescriptors.arguments;
const lastOfStart = launchDescriptors.status;
const loopbackAddress: readonly number[] = [127, 0, 0, 1];
/** For documentation: nobody has it. */
const outsideAddress: readonly number[] = [192, 0, 2, 1];

function attempt(name: string, calls: readonly TableCall[], succeeded: Attempt["succeeded"] = worked): Attempt {
  return { name, calls, succeeded };
}

function worked(results: readonly CallResult[]): boolean {
  return results.length === 0 || results.some(({ value }) => value >= 0);
}

function never(): boolean {
  return false;
}

function isFiltered([result]: readonly CallResult[]): boolean {
  return result?.value === notPermitted || result?.value === functionNotThere;
}

/** The second call is what reaches out. */
function reachedOut(results: readonly CallResult[]): boolean {
  const value = results[1]?.value ?? 0;
  return value >= 0 || value === inProgress;
}

function call(name: SystemCall, ...args: readonly CallArgument[]): TableCall {
  return { call: name, args };
}

function open(path: string, flags: number): TableCall {
  return call("openat", atWorkingDirectory, cString(path), flags, 0o600);
}

function sharedNamespace(name: string, link: string, lack = `share the ${name} namespace of the machine`): Attempt {
  const read = call("readlinkat", atWorkingDirectory, cString(`/proc/self/ns/${name}`), { roomBytes: 64 }, 64);
  return attempt(lack, [read], ([result]) => {
    const inside = Buffer.from(result?.filled ?? []).toString("latin1", 0, Math.max(0, result?.value ?? 0));
    return inside === link || inside === "";
  });
}

function connect(address: CallArgument, flags: number): readonly TableCall[] {
  return [
    call("socket", internetFamily, streamType | flags, 0),
    call("connect", firstDescriptor, address, 16),
    call("close", firstDescriptor),
  ];
}

function sendDatagram(address: CallArgument): readonly TableCall[] {
  return [
    call("socket", internetFamily, datagramType | nonBlocking, 0),
    call("sendto", firstDescriptor, cString("capstan"), 7, 0, address, 16),
    call("close", firstDescriptor),
  ];
}

/** `struct sockaddr_in` */
function internet(address: readonly number[], port: number): CallArgument {
  return { bytes: Uint8Array.from([internetFamily, 0, port >>> 8, port & 0xff, ...address, 0, 0, 0, 0, 0, 0, 0, 0]) };
}
