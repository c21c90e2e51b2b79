import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundledProgram } from "../../../../test/programs/bundled-program.ts";

/** What a leasing process is asked to do; without `attempts` it appends when reported. */
export interface Leasing {
  readonly path: string;
  readonly session: string;
  readonly writer: string;
  readonly attempts?: number;
}

/** Runs several `leasing-process.ts` to their ends. They begin when all are ready. @returns the lines of each */
export async function raceInProcesses(asked: readonly Leasing[]): Promise<readonly (readonly string[])[]> {
  const racers = await Promise.all(asked.map(startLeasing));
  await Promise.all(racers.map(async (racer) => racer.said(/^ready$/u)));
  for (const racer of racers) racer.append();
  return Promise.all(racers.map(async (racer) => (await racer.ended()).filter((line) => line !== "ready")));
}

export interface LeasingProcess {
  /** Resolves with the line when one that matches has been said, now or before. */
  said(pattern: RegExp): Promise<string>;
  /** One append, or the beginning of a race. */
  append(): void;
  signal(signal: NodeJS.Signals): void;
  /** Its lines, when it has ended; throws what it said on standard error when it failed. */
  ended(): Promise<readonly string[]>;
}

export async function startLeasing({ path, session, writer, attempts }: Leasing): Promise<LeasingProcess> {
  const script = await bundledProgram(join(import.meta.dirname, "leasing-process.ts"));
  const args = [script, path, session, writer, ...(attempts === undefined ? [] : [`${attempts}`])];
  const child = spawn(process.execPath, args);
  const output = { text: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.text += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.errors += text));
  const closed = once(child, "close");
  return {
    said: async (pattern) => lineOf(child, output, pattern),
    append: () => child.stdin.write("append\n"),
    signal: (signal) => child.kill(signal),
    ended: async () => {
      child.stdin.end();
      await closed;
      if (child.exitCode !== 0) throw new Error(`the leasing process failed: ${output.errors}`);
      return linesOf(output.text);
    },
  };
}

async function lineOf(
  child: ChildProcessWithoutNullStreams,
  output: { readonly text: string },
  pattern: RegExp,
): Promise<string> {
  for (;;) {
    const line = linesOf(output.text).find((said) => pattern.test(said));
    if (line !== undefined) return line;
    // oxlint-disable-next-line no-await-in-loop -- until it is said
    await once(child.stdout, "data");
  }
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").slice(0, -1);
}
