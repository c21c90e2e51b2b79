import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as contextCommands from "../commands/context.ts";
import { sessionAbout } from "./here-commands.ts";

const compactionMeant = "which summary, as `context compactions` names it (default: the one that is shown)";

/** What the model is shown of a session. */
export function addContext(program: Command, finish: (exitCode: number) => void): void {
  const context = program
    .command("context")
    .description("what the model is shown of a session, and how full its window is");
  commandAlone(context, "show")
    .argument("[session]", sessionAbout)
    .description("the window, the budget, what was counted, and the summaries that stand in for older messages")
    .option("--json", "for machines")
    .action(async (session: string | undefined, flags) => finish(await (await commands()).showContext(session, flags)));
  context
    .command("preview")
    .argument("[session]", sessionAbout)
    .description("the next request to the model, whole, as it would be sent now")
    .option("--json", "for machines")
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).previewContext(session, flags)),
    );
  context
    .command("compactions")
    .argument("[session]", sessionAbout)
    .description("every summary that was made, with what it stands for, who wrote it, and what it saved")
    .option("--json", "one object a line")
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).showCompactions(session, flags)),
    );
  context
    .command("diff")
    .argument("[session]", sessionAbout)
    .description("the messages that the model no longer sees, and what it sees in their place")
    .option("--compaction <name>", compactionMeant)
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).diffCompaction(session, flags)),
    );
  context
    .command("edit")
    .argument("[session]", sessionAbout)
    .description("change the words of a summary, in your editor or by a flag")
    .option("--compaction <name>", compactionMeant)
    .option("--text <words>", "the new words")
    .option("--file <file>", "a file with the new words")
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).editCompaction(session, flags)),
    );
  addChoice(context, finish, "undo", "show the model again what a summary stood for, where its window has room");
  addChoice(context, finish, "redo", "show the model a summary again that was undone");
}

function addChoice(
  context: Command,
  finish: (exitCode: number) => void,
  type: "undo" | "redo",
  description: string,
): void {
  context
    .command(type)
    .argument("[session]", sessionAbout)
    .description(description)
    .option("--compaction <name>", compactionMeant)
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).chooseCompaction(type, session, flags)),
    );
}

async function commands(): Promise<typeof contextCommands> {
  return await import("../commands/context.ts");
}
