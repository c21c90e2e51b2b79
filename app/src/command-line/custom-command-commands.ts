import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as customCommands from "../custom-commands/print-custom-commands.ts";

/** The user's own slash commands. */
export function addCustomCommands(program: Command, finish: (exitCode: number) => void): void {
  const commands = program.command("commands").description("your own slash commands, for `capstan run /name`");
  commandAlone(commands, "list")
    .description("list them, with what each is for")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await actions()).listCustomCommands(flags)));
  commands
    .command("show")
    .argument("<name>")
    .description("show the prompt that one stands for")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await actions()).showCustomCommand(name, flags)));
}

async function actions(): Promise<typeof customCommands> {
  return await import("../custom-commands/print-custom-commands.ts");
}
