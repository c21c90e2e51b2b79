import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as otherCommands from "../commands/other-commands.ts";
import { quoted } from "../installation/shell-text.ts";
import { addGrants } from "../asking/interaction-commands.ts";
import { collect, withPermissionFlags, withSettingsFlags } from "./settings-flags.ts";

type Finish = (exitCode: number) => void;

/** A command in one word is as its shell read it; one in several is written again, so that no word falls apart. */
function commandText(words: readonly string[]): string {
  const [only = "", ...more] = words;
  return more.length === 0 ? only : words.map((word) => (/[\s'"\\$`*?]/.test(word) ? quoted(word) : word)).join(" ");
}

/** What may run, and why. */
export function addPolicy(program: Command, finish: Finish): void {
  const policy = program.command("policy").description("explain, list, check and try the rules about what may run");
  withPermissionFlags(withSettingsFlags(policy.command("explain")))
    .argument("<call...>", "a shell command, as one argument or in words; with --tool the arguments as JSON")
    .description("explain why a call would be allowed, asked about or denied")
    .option("--tool <name>", "a call of this tool", "run_command")
    .option("--host <host>", "a network host the command would reach (repeatable)", collect)
    .option("--origin <frontend>", "the frontend the words come from", "cli")
    .option("--json", "for machines")
    .action(async (words: string[], flags) => finish(await (await others()).explainPolicy(commandText(words), flags)));
  withPermissionFlags(withSettingsFlags(commandAlone(policy, "list")))
    .description("list every rule in force, and where it comes from")
    .option("--json", "for machines")
    .action(async (flags) => finish(await (await others()).listPolicy(flags)));
  policy
    .command("validate")
    .argument("<file>", "a policy file, or the name of one that comes with Capstan")
    .description("read a policy file as a run would, examples included")
    .option("--json", "for machines")
    .action(async (file: string, flags) => finish(await (await others()).validatePolicy(file, flags)));
  policy
    .command("test")
    .argument("<file>", "a policy file, or the name of one that comes with Capstan")
    .description(
      "replay recorded calls under these rules: exit code 1 when a call that ran would be denied, or one that did not would run",
    )
    .option("--against <time>", "calls of the last days or hours, for example 30d or 12h", "30d")
    .option("--replace", "in place of your own rules, not beside them")
    .option("--json", "for machines")
    .action(async (file: string, flags) => finish(await (await others()).testPolicyFile(file, flags)));
  addGrants(policy, finish);
}

async function others(): Promise<typeof otherCommands> {
  return await import("../commands/other-commands.ts");
}
