import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as printPersonas from "./print-personas.ts";

/** Ways of working that users choose for a session. */
export function addPersonas(program: Command, finish: (exitCode: number) => void): void {
  const personas = program
    .command("personas")
    .description("ways of working that you choose for a session with --persona: built in, yours and this folder's");
  commandAlone(personas, "list")
    .description("list them, with what each is good for")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await actions()).listPersonas(flags)));
  personas
    .command("show")
    .argument("<name>")
    .description("show what the model reads of one, and the tools that it takes away")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await actions()).showPersona(name, flags)));
}

async function actions(): Promise<typeof printPersonas> {
  return await import("./print-personas.ts");
}
