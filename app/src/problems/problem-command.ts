import type { Command } from "commander";
import { withSettingsFlags } from "../command-line/settings-flags.ts";

/** What language servers find wrong with files. */
export function addProblems(program: Command, finish: (exitCode: number) => void): void {
  withSettingsFlags(program.command("problems"))
    .argument("[files...]", "of this folder; without any, those that differ from the last commit")
    .description("what your language servers find wrong with files")
    .option("--json", "a JSON object per line")
    .action(async (files: readonly string[], flags) => {
      const { printProblems } = await import("./print-problems.ts");
      finish(await printProblems(files, flags));
    });
}
