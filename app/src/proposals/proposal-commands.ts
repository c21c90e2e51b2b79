import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as proposalCommands from "./proposals.ts";
import { sessionAbout } from "../command-line/here-commands.ts";
import { withSettingsFlags } from "../command-line/settings-flags.ts";

/** Changes of files that wait for a user. */
export function addProposals(program: Command, finish: (exitCode: number) => void): void {
  const proposals = program
    .command("proposals")
    .description("changes of files that a session proposed: list, show, apply, refuse");
  commandAlone(proposals, "list")
    .argument("[session]", sessionAbout)
    .description("what is proposed, file by file")
    .option("--json", "one object a line")
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).listProposals(session, flags)),
    );
  withChoice(proposals.command("show"))
    .description("the same with its differences")
    .option("--json", "one object a line")
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).showProposals(session, flags)),
    );
  withChoice(withSettingsFlags(proposals.command("apply")))
    .description("write it into the files; one that has changed since is left alone")
    .option("--json", "the records, one per line")
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).applyProposals(session, flags)),
    );
  withChoice(withSettingsFlags(proposals.command("refuse")))
    .description("drop it; the model reads that with your next words")
    .option("--json", "the records, one per line")
    .action(async (session: string | undefined, flags) =>
      finish(await (await commands()).refuseProposals(session, flags)),
    );
}

function withChoice(command: Command): Command {
  return command
    .argument("[session]", sessionAbout)
    .option("--proposal <ids...>", "only of these proposals, as `proposals list` names them")
    .option("--file <paths...>", "only these files");
}

async function commands(): Promise<typeof proposalCommands> {
  return await import("./proposals.ts");
}
