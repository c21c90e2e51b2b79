import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTimeoutMs } from "./limits.ts";

/** What a finished process has used. */
export interface ProcessUse {
  /** On the machine's monotonic clock, before it was spawned. */
  readonly startedAtMs: number;
  readonly wallMs: number;
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  readonly maxMemoryMb: number;
}

/**
 * Runs a program of Node to its end; what it writes to stdout is thrown away.
 * @throws when it fails, with what it wrote to stderr
 */
export async function runProcess(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<ProcessUse> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-bench-use-"));
  const report = join(folder, "use.json");
  try {
    const startedAtMs = Number(process.hrtime.bigint()) / 1e6;
    const child = spawn(process.execPath, ["--require", reporter, ...args], {
      cwd,
      env: { ...env, CAPSTAN_BENCH_REPORT: report },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: runTimeoutMs,
    });
    let complaints = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaints = `${complaints}${text}`.slice(-2000);
    });
    const [code] = await once(child, "close");
    const wallMs = Number(process.hrtime.bigint()) / 1e6 - startedAtMs;
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${String(code)}: ${complaints}`);
    return { startedAtMs, wallMs, ...readReport(report) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const reporter = join(import.meta.dirname, "report-use.cjs");

function readReport(path: string): Pick<ProcessUse, "cpuMs" | "maxMemoryMb"> {
  return JSON.parse(readFileSync(path, "utf8"));
}
