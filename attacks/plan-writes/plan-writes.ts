import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { prepareWorkspace } from "./prepare-workspace.ts";
import { changedPaths, printTree } from "./tree-print.ts";

/** Runs one shell script in the workspace as plan mode would, and resolves when it has ended or was refused. */
export type PlanModeExecutor = (command: string) => Promise<void>;

/** What a command did to the workspace: nothing, or these paths (some of them). */
export interface PlanWrite {
  readonly command: string;
  readonly changed: readonly string[];
}

export interface PlanWritesReport {
  readonly tried: number;
  readonly unchanged: number;
  readonly writes: readonly PlanWrite[];
  /** Paths that changed after the last command had been judged: a writer that outlived it. Of an earlier one, the next command is blamed. */
  readonly late: readonly string[];
}

/** Two hundred and more ways to write from a shell. */
export const planWriteCommands: readonly string[] = readCommands();

/**
 * Runs every command in a prepared workspace and compares the whole tree before and after, byte for byte, `.git` included.
 * @param base  an empty directory; the workspace is `base/workspace`, always at the same place
 * @param open  makes the executor once the workspace is there
 */
export async function runPlanWrites(
  base: string,
  open: (workspace: string) => Promise<PlanModeExecutor> | PlanModeExecutor,
  commands: readonly string[] = planWriteCommands,
): Promise<PlanWritesReport> {
  const workspace = prepareWorkspace(base);
  const kept = join(base, "..", "kept");
  mkdirSync(kept, { recursive: true });
  copyTree(base, kept);
  const runInPlanMode = await open(workspace);
  const writes: PlanWrite[] = [];
  let before = printTree(workspace);
  for (const command of commands) {
    await runInPlanMode(command);
    const changed = changedPaths(before, printTree(workspace));
    if (changed.length === 0) continue;
    writes.push({ command, changed });
    restore(base, kept);
    before = printTree(workspace);
  }
  const late = changedPaths(before, printTree(workspace));
  return { tried: commands.length, unchanged: commands.length - writes.length, writes, late };
}

/** One line, and one for each command that got through. */
export function describePlanWrites({ tried, unchanged, writes, late }: PlanWritesReport): string {
  const through = writes.map(({ command, changed }) => `  ${JSON.stringify(command)} changed ${changed.join(", ")}`);
  const after = late.length === 0 ? [] : [`  written late: ${late.join(", ")}`];
  return [
    `plan mode: ${tried} ways to write tried, ${unchanged} left the workspace unchanged`,
    ...through,
    ...after,
  ].join("\n");
}

/** Whatever a command made of it, the place is again as it was. The directories themselves stay: somebody may work in them. */
function restore(base: string, kept: string): void {
  for (const place of ["workspace", "outside"]) {
    mkdirSync(join(base, place), { recursive: true });
    for (const name of readdirSync(join(base, place)))
      rmSync(join(base, place, name), { recursive: true, force: true });
  }
  copyTree(kept, base);
}

/** With modes, times and links, also those between the two places. */
function copyTree(from: string, to: string): void {
  execFileSync("cp", ["-a", `${from}/.`, to], { stdio: "pipe" });
}

function readCommands(): readonly string[] {
  const parsed: unknown = JSON.parse(readFileSync(new URL("commands.json", import.meta.url), "utf8"));
  if (!Array.isArray(parsed)) throw new Error("commands.json holds no list");
  return parsed.map(String);
}
