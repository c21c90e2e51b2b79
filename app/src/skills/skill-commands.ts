import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as printSkills from "./print-skills.ts";

/** What teaches models how to do something. */
export function addSkills(program: Command, finish: (exitCode: number) => void): void {
  const skills = program
    .command("skills")
    .description("instructions that models read when they need them: SKILL.md, yours and this folder's");
  commandAlone(skills, "list")
    .description("list them, with when each is of use")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await actions()).listSkills(flags)));
  skills
    .command("show")
    .argument("<name>")
    .description("show what the model reads of one, and the names of its files")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await actions()).showSkill(name, flags)));
}

async function actions(): Promise<typeof printSkills> {
  return await import("./print-skills.ts");
}
