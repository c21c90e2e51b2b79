import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import type * as readingCommands from "./reading-commands.ts";

const factMeant = "the fact, or a unique beginning of its id";

/** What is remembered beyond sessions. */
export function addFacts(program: Command, finish: (exitCode: number) => void): void {
  const facts = program.command("facts").description("what is remembered beyond a session: list, add, change, forget");
  commandAlone(facts, "list", true)
    .argument("[words...]", "only facts that have some of these words, the best first")
    .description("what is remembered for this folder and for all your work")
    .option("--all", "of every folder")
    .option("--day <date>", "what was learned on a day: year-month-day")
    .option("--json", "one object a line")
    .action(async (words: readonly string[], flags) => finish(await (await commands()).listFacts(words, flags)));
  facts
    .command("show")
    .argument("<fact>", factMeant)
    .description("a fact with where it came from, and the files it speaks of")
    .option("--json", "for machines")
    .action(async (id: string, flags) => finish(await (await commands()).showFact(id, flags)));
  facts
    .command("add")
    .argument("<words...>", "what is to be remembered")
    .description("remember something: every session here is shown it when a turn begins")
    .option("--user", "in all your work, not in this folder only")
    .option("--json", "for machines")
    .action(async (words: readonly string[], flags) => finish(await (await commands()).addFact(words, flags)));
  facts
    .command("edit")
    .argument("<fact>", factMeant)
    .argument("<words...>", "its new words")
    .description("change the words of a fact: from then on it is yours")
    .action(async (id: string, words: readonly string[]) => finish(await (await commands()).editFact(id, words)));
  facts
    .command("delete")
    .argument("<facts...>", "facts, or unique beginnings of their ids")
    .description("forget facts")
    .action(async (ids: readonly string[]) => finish(await (await commands()).deleteFacts(ids)));
}

async function commands(): Promise<typeof readingCommands> {
  return await import("./reading-commands.ts");
}
