import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, mkdirSync, openSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeTimeoutMs, pairsMadeTogether } from "./limits.ts";

/** Reading ends for us, writing ends for the command; the writing ends must be closed here once it has started. */
export interface CommandPipes {
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly writing: readonly [number, number];
}

/** Both ends of the two pipes of a command, reading ends first. */
type PipePair = readonly [out: readonly [number, number], err: readonly [number, number]];

/** Made for commands to come, named no more: to make some costs a process, and little more than to make one. */
const spare: PipePair[] = [];
let hasOpened = false;

/**
 * Real pipes. What Node makes for a child are sockets, and a script's `> /dev/stderr` fails on a socket.
 * @param directory  where the named pipes exist for a moment
 * @returns `undefined` where there are no named pipes: sockets are better than nothing
 */
export async function openPipes(directory: string): Promise<CommandPipes | undefined> {
  // Many processes run one command.
  if (spare.length === 0) await makePairs(directory, hasOpened ? pairsMadeTogether : 1);
  hasOpened = true;
  const pair = spare.shift();
  if (pair === undefined) return undefined;
  const [[outRead, outWrite], [errRead, errWrite]] = pair;
  return { stdout: toSocket(outRead), stderr: toSocket(errRead), writing: [outWrite, errWrite] };
}

const run = promisify(execFile);

/** Makes fewer, or none, where the system gives no more. */
async function makePairs(directory: string, count: number): Promise<void> {
  const name = join(directory, `pipe-${randomBytes(8).toString("hex")}`);
  const names = Array.from({ length: count }, (_, at) => [`${name}-${at}-out`, `${name}-${at}-err`] as const);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await run("mkfifo", ["-m", "600", ...names.flat()], { env: {}, timeout: makeTimeoutMs });
    for (const [out, err] of names) spare.push(openPair(out, err));
  } catch {
    // Where descriptors are few, the command needs what is left of them.
    for (const descriptor of spare.splice(1).flat(2)) closeSync(descriptor);
  } finally {
    for (const path of names.flat()) forget(path);
  }
}

/** @throws the system's error, with nothing left open */
function openPair(out: string, err: string): PipePair {
  const opened: number[] = [];
  try {
    return [openPipe(out, opened), openPipe(err, opened)];
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
}

function openPipe(path: string, opened: number[]): readonly [number, number] {
  // The reader first: without one, opening for writing would wait.
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  opened.push(reading);
  const writing = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  opened.push(writing);
  return [reading, writing];
}

/** A name that is left over does no harm. */
function forget(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made.
  }
}

function toSocket(descriptor: number): Socket {
  return new Socket({ fd: descriptor, readable: true, writable: false });
}
