import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as pluginActions from "./plugin-actions.ts";

/** Code that adds tools and services, each plugin in a process of its own. */
export function addPlugins(program: Command, finish: (exitCode: number) => void): void {
  const plugins = program
    .command("plugins")
    .description("code that adds tools, each plugin in a process of its own: yours and this folder's");
  commandAlone(plugins, "list")
    .description("list them, and which are used; nothing of them runs")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await actions()).listPlugins(flags)));
  plugins
    .command("show")
    .argument("<name>")
    .description("start one as a session does, and show its tools, its services and its times")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await actions()).showPlugin(name, flags)));
  plugins
    .command("enable")
    .argument("<name>")
    .description("use one that is off, or one that has changed, as it is now")
    .action(async (name: string) => finish(await (await actions()).enablePlugin(name)));
  plugins
    .command("disable")
    .argument("<name>")
    .description("use one no more, in any folder")
    .action(async (name: string) => finish(await (await actions()).disablePlugin(name)));
}

async function actions(): Promise<typeof pluginActions> {
  return await import("./plugin-actions.ts");
}
