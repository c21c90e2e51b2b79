import { type Command, Option } from "commander";
import { type RunFlags, run } from "../commands/run.ts";
import { withUpdateNotice } from "../installation/with-update-notice.ts";
import { sessionAbout } from "./here-commands.ts";
import { collect, withPermissionFlags, withSettingsFlags } from "./settings-flags.ts";

type Finish = (exitCode: number) => void;

/** `capstan run`, and `capstan` without a command. */
export function addRun(program: Command, finish: Finish): Command {
  return withTurnFlags(program.command("run").argument("[prompt...]", "what to do; piped standard input is appended"))
    .description("run one turn: the answer goes to stdout, progress to stderr")
    .option("-c, --continue", "resume the latest session of this directory")
    .option("-r, --resume <id>", "resume this session, by id or name (a unique beginning of its id will do)")
    .option("--fork-session", "with --continue or --resume: continue in a copy")
    .option("--session-id <id>", "the id of the new session")
    .option("-n, --name <name>", "the name of the new session, by which it can be resumed")
    .action(async (words: readonly string[], flags) =>
      finish(await withUpdateNotice(() => run(promptOf(words), flags))),
    );
}

/** `capstan resume`: the same in a session that is there. */
export function addResume(program: Command, finish: Finish): void {
  withTurnFlags(program.command("resume"))
    .argument("[session]", sessionAbout)
    .argument("[prompt...]", "what to do; without it the turn that was left open continues")
    .description("continue a session: what was left open, or with new words")
    .option("--fork-session", "continue in a copy")
    .action(async (session: string | undefined, words: readonly string[], flags: RunFlags) => {
      const asPrompt = words.length === 0 ? {} : { asPrompt: ["resume", session, ...words].join(" ") };
      const target = session === undefined ? { continue: true, choose: true } : { resume: session, ...asPrompt };
      finish(await withUpdateNotice(() => run(promptOf(words), { ...flags, ...target })));
    });
}

function promptOf(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join(" ");
}

/** All that a turn takes, but for its session. */
function withTurnFlags(command: Command): Command {
  return withPermissionFlags(withSettingsFlags(command))
    .option("--prompt <text>", "what to do, whatever it begins with: never read as a flag")
    .option(
      "-m, --model <provider/id>",
      "the model: provider/id, an id, or sonnet, opus, haiku, gpt, gemini (the newest of that name)",
    )
    .option("--effort <level>", "how much effort goes into answers: minimal, low, medium, high, xhigh or max")
    .option("--persona <name>", "a way of working, from `capstan personas` (repeatable)", collect)
    .option(
      "--attach <file>",
      "a file the model sees: an image, a PDF, audio, video or text (repeatable); in a prompt: @path",
      collect,
    )
    .option("--output-format <format>", "text, json or stream-json", "text")
    .option("-o, --output-last-message <file>", "write the last answer to this file as well")
    .option(
      "--json-schema <file>",
      "the answer must be JSON that fits this JSON Schema: a file, or the schema itself (also --output-schema)",
    )
    .addOption(new Option("--output-schema <file>", "the same as --json-schema").hideHelp())
    .option("--retry", "in a session that is resumed: take the last turn back, and send its words again")
    .option("--max-turns <n>", "at most so many model calls")
    .option("--max-budget-usd <x>", "stop when so much is spent")
    .option("--timeout <duration>", "stop after this time, for example 90s or 5m")
    .option("--system-prompt <text>", "in place of the built-in one")
    .option("--append-system-prompt <text>", "after the built-in one")
    .option("--strategy <name>", "sequential, parallel-reads or review")
    .option(
      "--on-ask <what>",
      "when something needs a user: deny, wait (for an answer from elsewhere) or park (default: ask at a terminal, else deny)",
    )
    .option(
      "--on-unknown <what>",
      "when a resumed session has a call of unknown outcome: fail, tell-model, rerun or ask (default: ask where somebody can be asked, else fail)",
    );
}
