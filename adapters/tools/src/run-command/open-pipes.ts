import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, mkdirSync, openSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

/** Reading ends for us, writing ends for the command; the writing ends must be closed here once it has started. */
export interface CommandPipes {
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly writing: readonly [number, number];
}

/**
 * Real pipes. What Node makes for a child are sockets, and a script's `> /dev/stderr` fails on a socket.
 * @param directory  where the named pipes exist for a moment
 * @returns `undefined` where there are no named pipes: sockets are better than nothing
 */
export async function openPipes(directory: string): Promise<CommandPipes | undefined> {
  const name = join(directory, `pipe-${randomBytes(8).toString("hex")}`);
  const paths = [`${name}-out`, `${name}-err`] as const;
  const opened: number[] = [];
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await run("mkfifo", ["-m", "600", ...paths], { env: {}, timeout: makeTimeoutMs });
    const [outRead, outWrite] = openPipe(paths[0], opened);
    const [errRead, errWrite] = openPipe(paths[1], opened);
    return { stdout: toSocket(outRead), stderr: toSocket(errRead), writing: [outWrite, errWrite] };
  } catch {
    for (const descriptor of opened) closeSync(descriptor);
    return undefined;
  } finally {
    for (const path of paths) forget(path);
  }
}

const run = promisify(execFile);
/** mkfifo takes two milliseconds; one that hangs must not hold the command. */
const makeTimeoutMs = 2_000;

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
