import { AppError } from "@capstan/protocol";
import type { Command } from "commander";

type Finish = (exitCode: number) => void;

/** @param whole  the program with all its commands */
export function addCompletion(program: Command, finish: Finish, whole: () => Command): void {
  program
    .command("completion")
    .argument("<shell>", "bash, zsh or fish")
    .description('print the completion script of a shell: eval "$(capstan completion bash)"')
    .action(async (shell: string) => finish(await printCompletion(shell, whole)));
}

/** @param whole  the program with all its commands */
export function addManual(program: Command, finish: Finish, whole: () => Command): void {
  program
    .command("manual")
    .description("print the manual page: capstan manual | man -l -")
    .action(async () => {
      const { commandTable, manualPage } = await import("./written-pages.ts");
      process.stdout.write(manualPage(commandTable(whole())));
      finish(0);
    });
}

async function printCompletion(shell: string, whole: () => Command): Promise<number> {
  const pages = await import("./written-pages.ts");
  switch (shell) {
    case "bash":
      process.stdout.write(pages.bashCompletion(pages.completionTable(whole())));
      return 0;
    case "zsh":
      process.stdout.write(pages.zshCompletion(pages.completionTable(whole())));
      return 0;
    case "fish":
      process.stdout.write(pages.fishCompletion(pages.completionTable(whole())));
      return 0;
    // What the scripts themselves ask for.
    case "sessions":
    case "interactions":
      for (const line of await pages.knownIds(shell)) process.stdout.write(`${line}\n`);
      return 0;
    default:
      throw new AppError("usage.invalid", `there is no completion for ${JSON.stringify(shell)}`, {
        hint: "Give bash, zsh or fish, for example `capstan completion bash`.",
      });
  }
}
