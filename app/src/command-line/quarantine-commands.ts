import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as otherCommands from "../commands/other-commands.ts";

/** What commands made and was taken out of the workspace. */
export function addQuarantineCommands(program: Command, finish: (exitCode: number) => void): void {
  const quarantine = program
    .command("quarantine")
    .description(
      "list and restore new files that agents, editors or git would obey, taken out of the workspace after a command",
    );
  commandAlone(quarantine, "list")
    .description("list what is there, oldest first, and where it was")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await others()).listQuarantined(flags)));
  quarantine
    .command("restore")
    .argument("<id>", "or the beginning of one")
    .description("put it back where it was")
    .option("--json", "for machines")
    .action(async (id: string, flags) => finish(await (await others()).restoreItem(id, flags)));
  quarantine
    .command("drop")
    .argument("<id>", "or the beginning of one")
    .description("delete it for good")
    .option("--json", "for machines")
    .action(async (id: string, flags) => finish(await (await others()).dropItem(id, flags)));
}

async function others(): Promise<typeof otherCommands> {
  return await import("../commands/other-commands.ts");
}
