import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planWriteCommands, type PlanWritesReport, runPlanWrites } from "../plan-writes/plan-writes.ts";
import { inFilePlace } from "../stage/file-place.ts";

/** Of the ways to write from a shell, how many an ordinary run tries; the nightly run tries all. */
const usualCount = 200;

/** Ways to write from a shell, run for real in plan mode with the real sandbox: the workspace must stay as it was, byte for byte. */
export async function planWritesInSandbox(): Promise<PlanWritesReport> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-attack-")));
  const base = join(folder, "base");
  mkdirSync(base);
  const isNightly = process.env["ATTACK_NIGHTLY"] !== undefined;
  const commands = isNightly ? planWriteCommands : planWriteCommands.slice(0, usualCount);
  try {
    return await inFilePlace(
      async (place) =>
        await runPlanWrites(
          base,
          () => async (command) => void (await place.call("run_command", { command, timeout_seconds: 20 })),
          commands,
        ),
      { confined: true, mode: "plan", workspace: join(base, "workspace") },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
