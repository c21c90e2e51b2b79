import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { bundledProgram } from "../../test/programs/bundled-program.ts";

export interface SourceProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a piece of a module in a process of its own, with real streams and signals; `source` sees the file's exports as `subject`. */
export async function startSource(
  file: string,
  source: string,
  options: { readonly env?: Readonly<Record<string, string>>; readonly stdin?: "pipe" | "ignore" | number } = {},
): Promise<SourceProcess> {
  const program = await bundledProgram(join(import.meta.dirname, "..", "src", file));
  const url = JSON.stringify(pathToFileURL(program).href);
  const module = `const subject = await import(${url});\n${source}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", module], {
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"] ?? "", ...options.env },
    stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { stdout, stderr } = child;
  const ended = Promise.all([
    new Promise<Pick<Ended, "code" | "signal">>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ code, signal }));
    }),
    // A reader that goes away on purpose has read nothing.
    stdout === null ? "" : text(stdout).catch(() => ""),
    stderr === null ? "" : text(stderr),
  ]).then(([end, out, error]) => ({ ...end, stdout: out, stderr: error }));
  ended.catch(() => undefined);
  return { child, ended };
}
