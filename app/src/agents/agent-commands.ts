import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as printAgents from "./print-agents.ts";

/** Whom models hand work to. */
export function addAgents(program: Command, finish: (exitCode: number) => void): void {
  const agents = program
    .command("agents")
    .description("whom models hand work to, each in a session of its own: built in, yours and this folder's");
  commandAlone(agents, "list")
    .description("list them, with when each is of use")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await actions()).listAgents(flags)));
  agents
    .command("show")
    .argument("<name>")
    .description("show what one is instructed with, its model and its tools")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await actions()).showAgent(name, flags)));
}

async function actions(): Promise<typeof printAgents> {
  return await import("./print-agents.ts");
}
