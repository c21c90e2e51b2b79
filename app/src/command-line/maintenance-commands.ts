import type { Command } from "commander";
import type * as otherCommands from "../commands/other-commands.ts";
import { sessionAbout } from "./here-commands.ts";
import { withSettingsFlags } from "./settings-flags.ts";

type Finish = (exitCode: number) => void;

async function others(): Promise<typeof otherCommands> {
  return await import("../commands/other-commands.ts");
}

/** Sessions as files, copies and removal: subcommands of `sessions`. */
export function addSessionFiles(sessions: Command, finish: Finish): void {
  const sessionArgument = "the session, or a unique beginning of its id";
  sessions
    .command("export")
    .argument("[session]", sessionAbout)
    .description("write the whole session to a file: lossless, or to read")
    .option("--format <format>", "jsonl or markdown", "jsonl")
    .option("--exact", "leave secrets and keys in; without it they are taken out")
    .option("-o, --output <file>", "write to this new file in place of standard output")
    .action(async (id: string | undefined, flags) => finish(await (await others()).exportSession(id, flags)));
  withSettingsFlags(sessions.command("import"))
    .argument("<file>", "a session of Capstan, Claude Code, Codex CLI, pi, opencode, Gemini CLI or Ted")
    .description("import a session from a file, and heal it where it is broken")
    .option("--as <id>", "the id it gets here")
    .option("--heal", "of a broken file of Capstan's own: keep the longest good beginning")
    .option("-m, --model <provider/id>", "the model that another agent's session continues with")
    .option("--json", "for machines")
    .action(async (file: string, flags) => finish(await (await others()).importSessionFile(file, flags)));
  sessions
    .command("fork")
    .argument("[session]", sessionAbout)
    .description("copy a session; prints the id of the copy")
    .option("--json", "for machines")
    .action(async (id: string | undefined, flags) => finish(await (await others()).forkSessionCommand(id, flags)));
  sessions
    .command("delete")
    .argument("<id>", sessionArgument)
    .description("remove a session for good")
    .option("--yes", "do not ask")
    .action(async (id: string, flags) => finish(await (await others()).deleteSessionCommand(id, flags)));
  sessions
    .command("prune")
    .description("name the sessions in which nothing happened for so long, and remove them for good with --yes")
    .requiredOption("--older-than <time>", "how long ago, such as 90d, or a date")
    .option("--yes", "remove them")
    .option("--json", "for machines")
    .action(async (flags) => finish(await (await others()).pruneSessions(flags)));
  sessions
    .command("compress")
    .description(
      "store the sessions compressed in which nothing happened for so long; they are read and resumed as before",
    )
    .requiredOption("--older-than <time>", "how long ago, such as 30d, or a date")
    .option("--json", "for machines")
    .action(async (flags) => finish(await (await others()).compressSessionsCommand(flags)));
}

export function addDoctor(program: Command, finish: Finish): void {
  withSettingsFlags(program.command("doctor"))
    .argument("[session]", "verify this session instead")
    .description("check the installation, or verify a session and explain what is wrong")
    .option(
      "--repair",
      "save every record of a damaged database, or the good beginning of this session, after a backup",
    )
    .option("--statistics", "count what is stored of every session, or of this one: records, open work, bytes")
    .option(
      "--report",
      "print what somebody who helps has to know, without keys: machine, versions, sandbox, configuration",
    )
    .option("--json", "for machines")
    .action(async (session: string | undefined, flags) => finish(await (await others()).doctor(session, flags)));
}

export function addUpdate(program: Command, finish: Finish): void {
  program
    .command("update")
    .description("say whether there is a newer release; run the command of what installed this one, after a yes")
    .option("--check", "only say it")
    .option("-y, --yes", "run the command without asking")
    .option("--json", "print what is known, for machines; nothing is run")
    .action(async (flags) => finish(await (await others()).update(flags)));
}

export function addAudit(program: Command, finish: Finish): void {
  const audit = program.command("audit").description("verify a session, or print who asked, allowed and did what");
  audit
    .command("verify")
    .argument("[session]", sessionAbout)
    .description("check whether anything was changed, removed or added afterwards, and what of it was imported")
    .option("--json", "for machines")
    .action(async (session: string | undefined, flags) => finish(await (await others()).verifyAudit(session, flags)));
  audit
    .command("export")
    .argument("[session]", sessionAbout)
    .description("print who asked, what was answered, what allowed it, what ran and what came out, in order")
    .option("--exact", "leave secrets and keys in; without it they are taken out")
    .option("--json", "a JSON object per line")
    .action(async (session: string | undefined, flags) => finish(await (await others()).exportAudit(session, flags)));
  audit
    .command("report")
    .description("count over all sessions what was allowed, asked about and denied, by which rule and whose word")
    .option("--since <when>", "a day (2026-11-01), a time, or how long ago: 12h, 7d, 4w")
    .option("--json", "for machines")
    .action(async (flags) => finish(await (await others()).reportAudit(flags)));
}
