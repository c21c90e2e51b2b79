import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const childLimitMs = 10 * 60_000;

/** How the binary is started: where, with which environment, and where lines for the reader go. */
export interface Place {
  /** The binary's JavaScript file. */
  readonly capstan: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
}

/** A process of Capstan whose lines are printed as they come. */
export interface Running {
  readonly child: ChildProcess;
  /** Everything it has printed so far. */
  readonly lines: readonly string[];
  /** The exit code; `null`: a signal ended it. */
  readonly ended: Promise<number | null>;
}

/**
 * Starts the binary.
 * @param onLine  called with each line; without it each line is printed
 */
export function start(place: Place, args: readonly string[], onLine = place.print): Running {
  const child = spawn(process.execPath, [place.capstan, ...args], {
    cwd: place.cwd,
    env: place.env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: childLimitMs,
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (line) => {
      lines.push(line);
      onLine(line);
    });
  }
  return { child, lines, ended: once(child, "close").then(([code]) => code) };
}

/** Prints the command line, runs it, and gives its lines and its exit code. */
export async function run(
  place: Place,
  args: readonly string[],
  onLine?: (line: string) => void,
): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
  const { lines, ended } = start(place, args, onLine);
  return { code: await ended, lines };
}

/** A command line as a user would type it. */
export function typed(args: readonly string[]): string {
  return ["$ capstan", ...args.map((word) => (/^[\w.,:/=@-]+$/.test(word) ? word : `'${word}'`))].join(" ");
}
