import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as otherCommands from "../commands/other-commands.ts";
import { withPermissionFlags, withSettingsFlags } from "./settings-flags.ts";

type Finish = (exitCode: number) => void;

/** Turns are what this program is for: whatever runs none is loaded apart. */
async function others(): Promise<typeof otherCommands> {
  return await import("../commands/other-commands.ts");
}

export function addModels(program: Command, finish: Finish): void {
  const models = program.command("models");
  withSettingsFlags(models)
    .argument("[filter]", "only models in whose name this occurs")
    .description("list the models that the configured keys can reach")
    .option("--provider <name>", "only of this provider")
    .option("--all", "also models that do not write text")
    .option("--json", "for machines")
    .action(async (filter: string | undefined, flags) =>
      finish(await (await others()).listModelsCommand(filter, flags)),
    );
  withSettingsFlags(models.command("refresh"))
    .description("get the newest public catalog of models and prices")
    .option("--json", "for machines")
    // Flags may stand before the word, too: then they are those of `models`.
    .action(async (_flags, command: Command) =>
      finish(await (await others()).refreshModels(command.optsWithGlobals())),
    );
}

export function addConfig(program: Command, finish: Finish): void {
  const config = program.command("config").description("show, explain, check and change the configuration");
  withPermissionFlags(withSettingsFlags(commandAlone(config, "show")))
    .argument("[key]", "explain this key alone")
    .description("show every key with its value, and where it was set")
    .option("--json", "for machines")
    .action(async (key: string | undefined, flags) => finish(await (await others()).showConfig(key, flags)));
  withPermissionFlags(withSettingsFlags(config.command("explain")))
    .argument("<key>", "for example tools.output.max_bytes")
    .description("show which layer set a key, and what the others said")
    .option("--json", "for machines")
    .action(async (key: string, flags) => finish(await (await others()).explainConfig(key, flags)));
  withPermissionFlags(withSettingsFlags(config.command("validate")))
    .description("check the files as a run would")
    .action(async (flags) => finish(await (await others()).validateConfig(flags)));
  withSettingsFlags(config.command("set"))
    .argument("<key>", "for example tui.vim, or keys.steer for one entry of a table")
    .argument("<value>", "as in the file; a string needs no quotes")
    .description("write a value into your config.toml, where it fits; comments stay")
    .option("--json", "for machines")
    .action(async (key: string, value: string, flags) => finish(await (await others()).setConfig(key, value, flags)));
  withSettingsFlags(config.command("unset"))
    .argument("<key>", "as for `set`")
    .description("take a value out of your config.toml")
    .option("--json", "for machines")
    .action(async (key: string, flags) => finish(await (await others()).unsetConfig(key, flags)));
  config
    .command("init")
    .description("write a commented configuration")
    .action(async () => finish(await (await others()).initConfig()));
  config
    .command("schema")
    .description("print the JSON Schema of the file")
    .action(async () => finish((await others()).printConfigSchema()));
}

export function addTools(program: Command, finish: Finish): void {
  const tools = program.command("tools").description("list the tools, or run one without a model");
  withSettingsFlags(commandAlone(tools, "list"))
    .description("list the tools")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await others()).listTools(flags)));
  withSettingsFlags(tools.command("show"))
    .argument("<name>")
    .description("show what the model reads about a tool")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await others()).showTool(name, flags)));
  withPermissionFlags(withSettingsFlags(tools.command("call")))
    .argument("<name>")
    .argument("<arguments>", "a JSON object")
    .description("run one tool through the same checks; calling it counts as your approval, rules that deny still deny")
    .option("--json", "action, judgement, outcome and changes as JSON")
    .action(async (name: string, json: string, flags) =>
      finish(await (await others()).callToolByHand(name, json, flags)),
    );
}
