import type { Command } from "commander";
import type * as answering from "../asking/answer-here.ts";
import { withAnswerFlags } from "../asking/interaction-commands.ts";
import type * as rewinding from "../commands/rewind.ts";
import { withSettingsFlags } from "./settings-flags.ts";

type Finish = (exitCode: number) => void;

/** What stands for a session in commands that need none named: the latest here. */
export const sessionAbout = "the session, by id or name (default: the latest here; on a terminal you choose)";

/** What is done most often with a session, without its id. */
export function addUndo(program: Command, finish: Finish): void {
  withSettingsFlags(program.command("undo"))
    .argument("[session]", sessionAbout)
    .description("take the last turn back: its words, and what it did to files")
    .option("--json", "the records, one per line")
    .action(async (session: string | undefined, flags) => finish(await (await rewinds()).undoTurn(session, flags)));
}

export function addRedo(program: Command, finish: Finish): void {
  withSettingsFlags(program.command("redo"))
    .argument("[session]", sessionAbout)
    .description("bring back what was taken back last, as long as no turn came after it")
    .option("--json", "the records, one per line")
    .action(async (session: string | undefined, flags) => finish(await (await rewinds()).redoTurn(session, flags)));
}

export function addAnswerHere(program: Command, finish: Finish): void {
  withAnswerFlags(withSettingsFlags(program.command("answer")))
    .argument("[ids...]", "interactions, or unique beginnings of their ids (default: what waits here)")
    .description("answer what waits in this directory; on a terminal you are asked what you did not say")
    .action(async (ids: readonly string[], flags) => finish(await (await answers()).answerHere(ids, flags)));
}

async function rewinds(): Promise<typeof rewinding> {
  return await import("../commands/rewind.ts");
}

async function answers(): Promise<typeof answering> {
  return await import("../asking/answer-here.ts");
}
