import type { Command } from "commander";
import { commandAlone } from "../alone.ts";
import { sessionAbout } from "./here-commands.ts";
import { addSessionFiles } from "./maintenance-commands.ts";
import type * as otherCommands from "../commands/other-commands.ts";
import type * as joiningCommands from "../joining/sessions.ts";
import type * as rewindCommands from "../commands/rewind.ts";
import { withSettingsFlags } from "./settings-flags.ts";
import { paragraphs } from "./wrapped-help.ts";

/** What can be done with sessions as wholes. */
export function addSessions(program: Command, finish: (exitCode: number) => void): void {
  const sessions = program.command("sessions").description("list, show, undo, export and import sessions");
  commandAlone(sessions, "list")
    .argument("[words...]", "only those that have these words in title, folder or id")
    .description("list the sessions, newest first")
    .option("--json", "a JSON object per line")
    .option("--limit <n>", "at most so many")
    .option("--agents", "also the sessions of agents, which belong to those that called them")
    .action(async (words: string[], flags) => finish(await (await others()).listSessions(words, flags)));
  sessions
    .command("show")
    .argument("[session]", sessionAbout)
    .description("show what was said and done")
    .option("--json", "the records, one per line")
    .option("--follow", "read along while another process writes to it")
    .action(async (id: string | undefined, flags) => finish(await (await others()).showSession(id, flags)));
  sessions
    .command("tree")
    .argument("[session]", sessionAbout)
    .description("show a session with the sessions of its agents, and of theirs: state, age, turns and cost of each")
    .option("--json", "a JSON object per session")
    .action(async (id: string | undefined, flags) => finish(await (await others()).showTree(id, flags)));
  addJoining(sessions, finish);
  addSessionFiles(sessions, finish);
  addRewindCommands(sessions, finish);
}

/** The commands that go through the process that has the session open, where there is one. */
function addJoining(sessions: Command, finish: (exitCode: number) => void): void {
  withSettingsFlags(sessions.command("attach"))
    .argument("[session]", sessionAbout)
    .description(
      "follow a session that another process has open; a line you type is sent to it, `/answer WORDS` answers, `!COMMAND` runs",
    )
    .option("--role <role>", "what you may do there: watch, ask, drive, approve or operate", "operate")
    .option("--steer", "lines reach the model before its next step (default: they wait for the next turn)")
    .option("--output-format <format>", "text or stream-json", "text")
    .addHelpText(
      "after",
      paragraphs(
        "!COMMAND is your own command: it runs in the session's process, unasked and under its sandbox, and the model is informed with your next words. A line that begins with a blank is always words. Ctrl-C detaches: what runs in the session continues.",
      ),
    )
    .action(async (id: string | undefined, flags) => finish(await (await joining()).attachToSession(id, flags)));
  withSettingsFlags(sessions.command("compact"))
    .argument("[session]", sessionAbout)
    .description("have the model summarise older messages; the originals stay, and come back in a larger window")
    .option("--json", "the records, one per line")
    .action(async (id: string | undefined, flags) => finish(await (await joining()).compactSession(id, flags)));
  withSettingsFlags(sessions.command("rename"))
    .argument("<id>", "the session, or a unique beginning of its id")
    .argument("<title>", "the new title; an empty one removes it")
    .description("give a session a title")
    .action(async (id: string, title: string, flags) =>
      finish(await (await joining()).renameSession(id, title, flags)),
    );
}

async function joining(): Promise<typeof joiningCommands> {
  return await import("../joining/sessions.ts");
}

/** The commands that take turns back. */
function addRewindCommands(sessions: Command, finish: (exitCode: number) => void): void {
  withSettingsFlags(sessions.command("rewind"))
    .argument("<id>", "the session, or a unique beginning of its id")
    .description(
      "go back to the end of an earlier turn; files that somebody else changed since are left alone, and named",
    )
    .option("--to <n>", "keep turns 1 to n (default: all but the last; 0: none)")
    .option("--both", "what was said, and what was done to files (default)")
    .option("--code", "only what was done to files")
    .option("--conversation", "only what was said")
    .option("--json", "the records, one per line")
    .action(async (id: string, flags) => finish(await (await commands()).rewindTo(id, flags)));
  withSettingsFlags(sessions.command("undo"))
    .argument("<id>", "the session, or a unique beginning of its id")
    .description("take the last turn back: its words, and what it did to files")
    .option("--json", "the records, one per line")
    .action(async (id: string, flags) => finish(await (await commands()).undoTurn(id, flags)));
  withSettingsFlags(sessions.command("redo"))
    .argument("<id>", "the session, or a unique beginning of its id")
    .description("bring back what was taken back last, as long as no turn came after it")
    .option("--json", "the records, one per line")
    .action(async (id: string, flags) => finish(await (await commands()).redoTurn(id, flags)));
}

async function commands(): Promise<typeof rewindCommands> {
  return await import("../commands/rewind.ts");
}

async function others(): Promise<typeof otherCommands> {
  return await import("../commands/other-commands.ts");
}
