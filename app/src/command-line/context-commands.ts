import type { Command } from "commander";

/** What the model is shown of a session. */
export function addContext(program: Command, finish: (exitCode: number) => void): void {
  const context = program
    .command("context")
    .description("what the model is shown of a session, and how full its window is");
  context
    .command("show")
    .argument("[session]", "the session, or a unique beginning of its id (default: the latest here)")
    .description("the window, the budget, what was counted, and the summaries that stand in for older messages")
    .option("--json", "for machines")
    .action(async (session: string | undefined, flags) => {
      const { showContext } = await import("../commands/context.ts");
      finish(await showContext(session, flags));
    });
}
