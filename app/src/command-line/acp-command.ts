import type { Command } from "commander";
import { withPermissionFlags, withSettingsFlags } from "./settings-flags.ts";
import { paragraphs } from "./wrapped-help.ts";

/** `capstan acp`. */
export function addAcp(program: Command, finish: (exitCode: number) => void): void {
  withPermissionFlags(withSettingsFlags(program.command("acp")))
    .description(
      "serve the engine to the editor that starts it: the Agent Client Protocol on standard input and output",
    )
    .option("-m, --model <provider/id>", "the model of new sessions")
    .option("--effort <level>", "how much effort goes into answers: minimal, low, medium, high, xhigh or max")
    .option("--role <role>", "what the editor may do: watch, ask, drive, approve or operate", "operate")
    .option("--setup", "write the configuration file, and say which variables hold keys (for a terminal)")
    .addHelpText("after", paragraphs("Setting up editors: docs/acp.md. Log lines go to stderr."))
    .action(async (flags) => finish(await (await import("../acp/acp.ts")).acp(flags)));
}
