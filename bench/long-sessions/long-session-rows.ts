import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toSessionId } from "@capstan/protocol";
import { openSqliteStore } from "@capstan/storage";
import { longSessions } from "../limits.ts";
import { longSession } from "../long-journal.ts";
import type { ReportRow } from "../report-rows.ts";
import { type ProcessUse, runProcess } from "../run-process.ts";

const launcher = join(import.meta.dirname, "..", "..", "bin", "capstan");
const bareReader = join(import.meta.dirname, "read-lines.mjs");

/** What the commands about whole sessions take for a very long one, against reading the lines of its file with a bare script. */
export async function longSessionRows(progress: (what: string) => void): Promise<readonly ReportRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-bench-long-"));
  const [home, other, file] = [join(folder, "data"), join(folder, "other"), join(folder, "long.jsonl")];
  const run = (args: readonly string[], data = home): Promise<ProcessUse> =>
    runProcess(args, folder, environment(data));
  const ours = (args: readonly string[], data?: string): Promise<ProcessUse> => run([launcher, ...args], data);
  try {
    progress(`a session of ${longSessions.turns} turns`);
    mkdirSync(home, { mode: 0o700 });
    const store = await openSqliteStore({ path: join(home, "capstan.db") });
    await store.restore(toSessionId("long"), longSession(longSessions.turns));
    await store.close();
    const shown = await ours(["sessions", "show", "long"]);
    const checked = await ours(["doctor", "long"]);
    const exported = await ours(["sessions", "export", "long", "-o", file]);
    const imported = await ours(["sessions", "import", file], other);
    const bare = await run([bareReader, file]);
    const size = `${longSessions.turns} turns, ${Math.round(statSync(file).size / 1e6)} MB`;
    return [
      row(`sessions show, ${size}`, shown, bare),
      row(`doctor, ${size}`, checked, bare),
      row(`sessions export, ${size}`, exported, bare),
      row(`sessions import, ${size}`, imported, bare, longSessions.importMs),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function environment(data: string): Readonly<Record<string, string>> {
  return { PATH: process.env["PATH"] ?? "", HOME: data, CAPSTAN_HOME: data, ANTHROPIC_API_KEY: "bench" };
}

// oxlint-disable-next-line max-params -- a row has four parts
function row(what: string, used: ProcessUse, bare: ProcessUse, mostMs = Infinity): ReportRow {
  const isMet = used.maxMemoryMb <= longSessions.memoryMb && used.wallMs <= mostMs;
  const time = mostMs === Infinity ? "" : `, ${mostMs / 1000} s`;
  return {
    what,
    capstan: useText(used),
    bare: useText(bare),
    result: `${(used.cpuMs / bare.cpuMs).toFixed(1)} × CPU`,
    target: `≤ ${longSessions.memoryMb} MB${time}`,
    met: isMet ? "yes" : "NO",
  };
}

function useText({ wallMs, cpuMs, maxMemoryMb }: ProcessUse): string {
  return `${(wallMs / 1000).toFixed(1)} s (CPU ${(cpuMs / 1000).toFixed(1)} s), ${maxMemoryMb.toFixed(0)} MB`;
}
