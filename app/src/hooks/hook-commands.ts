import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as printHooks from "./print-hooks.ts";

/** What is asked or informed before and after things happen. */
export function addHooks(program: Command, finish: (exitCode: number) => void): void {
  const hooks = program
    .command("hooks")
    .description("programs that are asked or informed when things happen: yours and this folder's");
  commandAlone(hooks, "list")
    .description("list them: when each runs, where it is written, and why one does not")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await actions()).listHooks(flags)));
}

async function actions(): Promise<typeof printHooks> {
  return await import("./print-hooks.ts");
}
