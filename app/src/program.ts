import { Command, CommanderError } from "commander";
import type * as otherCommands from "./commands/other-commands.ts";
import { run } from "./commands/run.ts";
import { addAudit, addDoctor } from "./command-line/maintenance-commands.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { failedResult } from "./failed-result.ts";
import { addInteractions } from "./asking/interaction-commands.ts";
import { addCompletion, addManual } from "./installation/installation-commands.ts";
import { withUpdateNotice } from "./installation/with-update-notice.ts";
import { withRunAlias } from "./command-line/run-alias.ts";
import { addPolicy } from "./command-line/policy-commands.ts";
import { reportError } from "./report-error.ts";
import { addSessions } from "./command-line/session-commands.ts";
import { addTrustCommands } from "./command-line/trust-commands.ts";
import { collect, withPermissionFlags, withSettingsFlags } from "./command-line/settings-flags.ts";
import { AppError, usageExitCode } from "@capstan/protocol";
import { version } from "./version.ts";

/** What the process does as long as it lasts, whatever it runs. Call it once. */
export function prepareProcess(): void {
  // A reader that has seen enough (`capstan --help | head`) is no failure.
  process.stdout.on("error", () => undefined);
  // What nobody caught is reported as any other problem is, and without what a stack of it may show.
  process.on("uncaughtException", (error) => {
    reportError(error);
    process.exit(exitCodeOf(error));
  });
}

/** Runs a command line to its end. @returns the exit code */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  // As before `-v` was the short form.
  const given = args.length === 1 && args[0] === "-V" ? ["--version"] : args;
  const words = withRunAlias(given, isCommand, () => addRun(new Command(), () => undefined));
  const program = buildProgram(words[0], (code) => {
    exitCode = code;
  });
  if (words.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has said what was wrong already; help and version are no errors.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (wantsJson(args)) {
        process.stdout.write(failedResult(new AppError("usage.invalid", error.message)));
      }
      return usageExitCode;
    }
    reportError(error);
    return exitCodeOf(error);
  }
}

/** Whether somebody waits for a result line, although the flags could not be read. */
function wantsJson(args: readonly string[]): boolean {
  return /(?:^|\0)--output-format[=\0](?:json|stream-json)(?:\0|$)/.test(args.join("\0"));
}

/** Turns are what this program is for: whatever runs none is loaded apart. */
async function others(): Promise<typeof otherCommands> {
  return await import("./commands/other-commands.ts");
}

type Finish = (exitCode: number) => void;

/** Each adds one command. */
const commands: Readonly<Record<string, (program: Command, finish: Finish) => void>> = {
  run: addRun,
  embed: addEmbed,
  sessions: addSessions,
  models: addModels,
  config: addConfig,
  doctor: addDoctor,
  audit: addAudit,
  interactions: addInteractions,
  policy: addPolicy,
  tools: addTools,
  trust: addTrustCommands,
  rehearse: addRehearse,
  completion: (program, finish) => addCompletion(program, finish, wholeProgram),
  manual: (program, finish) => addManual(program, finish, wholeProgram),
  version: addVersion,
};

function isCommand(word: string): boolean {
  return word === "help" || Object.hasOwn(commands, word);
}

/** The command line with every command, as help and completion see it. */
export function wholeProgram(): Command {
  return buildProgram(undefined, () => undefined);
}

/** The command line; with a command's name as first word only that command, since the others could not be meant. */
function buildProgram(first: string | undefined, finish: Finish): Command {
  const named = first !== undefined && Object.hasOwn(commands, first) ? first : undefined;
  const program = new Command("capstan")
    .description(
      "An agent engine: a language model does real work in a real workspace, and nothing is lost or repeated on the way.",
    )
    .version(`capstan ${version}`, "-v, --version", "print the version")
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: (text, write) => write(withNextStep(text, named)) })
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 error, 2 usage or configuration, 3 a tool was denied, 4 limit reached, 5 provider failed,\n6 outcome unknown, 7 parked, 124 timeout, 130 interrupted, 143 terminated.",
    );
  for (const [name, add] of Object.entries(commands)) if (named === undefined || name === named) add(program, finish);
  return program;
}

/** Words that could not be read: where nothing like them is known, the help is the next step. */
function withNextStep(text: string, command: string | undefined): string {
  if (text.includes("(Did you mean ")) return text;
  return `${text}  \`capstan ${command === undefined ? "" : `${command} `}--help\` shows what there is.\n`;
}

function addRun(program: Command, finish: Finish): Command {
  const command = program.command("run").argument("[prompt]", "what to do; piped standard input is appended");
  return withPermissionFlags(withSettingsFlags(command))
    .description("run one turn: the answer goes to stdout, progress to stderr")
    .option("--prompt <text>", "what to do, whatever it begins with: never read as a flag")
    .option("-m, --model <provider/id>", "the model, for example anthropic/claude-sonnet-5-5")
    .option("--attach <file>", "a file the model sees: an image, a PDF, audio, video or text (repeatable)", collect)
    .option("--output-format <format>", "text, json or stream-json", "text")
    .option("-c, --continue", "resume the latest session of this directory")
    .option("-r, --resume <id>", "resume this session (a unique beginning of its id will do)")
    .option("--retry", "with --continue or --resume: take the last turn back, and send its words again")
    .option("--fork-session", "with --continue or --resume: continue in a copy")
    .option("--session-id <id>", "the id of the new session")
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
    )
    .action(async (prompt: string | undefined, flags) => finish(await withUpdateNotice(() => run(prompt, flags))));
}

function addEmbed(program: Command, finish: Finish): void {
  withPermissionFlags(withSettingsFlags(program.command("embed")))
    .description("serve the engine to the program that starts it: a JSON object per line on standard input and output")
    .option("-m, --model <provider/id>", "the model of new sessions")
    .option("--role <role>", "what the program may do: watch, ask, drive, approve or operate", "operate")
    .option("--detach", "at the end of standard input leave turns as they are (default: they end first)")
    .addHelpText("after", "\nOperations: docs/reference/operations.md. Log lines go to stderr.")
    .action(async (flags) => finish(await (await import("./embed/embed.ts")).embed(flags)));
}

function addModels(program: Command, finish: Finish): void {
  const models = program.command("models");
  withSettingsFlags(models)
    .argument("[filter]", "only models in whose name this occurs")
    .description("the models that the configured keys can reach")
    .option("--provider <name>", "only of this provider")
    .option("--all", "also models that do not write text")
    .option("--json", "for machines")
    .action(async (filter: string | undefined, flags) =>
      finish(await (await others()).listModelsCommand(filter, flags)),
    );
  withSettingsFlags(models.command("refresh"))
    .description("get the newest public catalog of models and prices")
    .option("--json", "for machines")
    // Flags may stand before the word, too: then they are those of `models`.
    .action(async (_flags, command: Command) =>
      finish(await (await others()).refreshModels(command.optsWithGlobals())),
    );
}

function addConfig(program: Command, finish: Finish): void {
  const config = program.command("config").description("the configuration");
  withPermissionFlags(withSettingsFlags(config.command("show")))
    .description("every key with its value, and where it was set")
    .option("--json", "for machines")
    .action(async (flags) => finish(await (await others()).showConfig(flags)));
  withPermissionFlags(withSettingsFlags(config.command("explain")))
    .argument("<key>", "for example tools.output.max_bytes")
    .description("which layer set a key, and what the others said")
    .option("--json", "for machines")
    .action(async (key: string, flags) => finish(await (await others()).explainConfig(key, flags)));
  withPermissionFlags(withSettingsFlags(config.command("validate")))
    .description("check the files as a run would")
    .action(async (flags) => finish(await (await others()).validateConfig(flags)));
  config
    .command("init")
    .description("write a commented configuration")
    .action(async () => finish(await (await others()).initConfig()));
  config
    .command("schema")
    .description("print the JSON Schema of the file")
    .action(async () => finish((await others()).printConfigSchema()));
}

function addTools(program: Command, finish: Finish): void {
  const tools = program.command("tools").description("the tools, without a model");
  withSettingsFlags(tools.command("list"))
    .description("what there is")
    .option("--json", "a JSON object per line")
    .action(async (flags) => finish(await (await others()).listTools(flags)));
  withSettingsFlags(tools.command("show"))
    .argument("<name>")
    .description("what the model reads about a tool")
    .option("--json", "for machines")
    .action(async (name: string, flags) => finish(await (await others()).showTool(name, flags)));
  withPermissionFlags(withSettingsFlags(tools.command("call")))
    .argument("<name>")
    .argument("<arguments>", "a JSON object")
    .description("run one tool through the same checks; calling it counts as your approval, rules that deny still deny")
    .option("--json", "action, judgement, outcome and changes as JSON")
    .action(async (name: string, json: string, flags) =>
      finish(await (await others()).callToolByHand(name, json, flags)),
    );
}

function addRehearse(program: Command, finish: Finish): void {
  program
    .command("rehearse")
    .argument("[scenario]", "a scenario file, or a recording")
    .description("serve a scripted or recorded model on loopback, in the vendors' wires, or record a real one")
    .option("--port <n>", "listen on this port (default: any free one)")
    .option(
      "--record <file>",
      "pass requests on to --target, and write them and the answers to a new file, without secrets",
    )
    .option("--target <url>", "with --record: the endpoint's base URL, for example https://api.openai.com/v1")
    .option("--force", "with --record: replace the file if there is one")
    .option("--replay <file>", "serve a recording: the n-th request of a kind gets the n-th recorded answer")
    .option("--lenient", "answer requests that differ from the recorded ones as well")
    .addHelpText(
      "after",
      "\nA recording is a scenario: both are served alike, and every request is checked\nas its vendor would. What comes must also be what was recorded, but for dates,\ndurations, ids, the working directory, the names of homes and temporary\ndirectories, cache marks, and fields that name a user or a session;\n--lenient lets everything of the same method, path and model through.",
    )
    .action(async (file: string | undefined, flags) =>
      finish(await (await import("./commands/rehearse.ts")).rehearse(file, flags)),
    );
}

function addVersion(program: Command): void {
  program
    .command("version")
    .description("print the version")
    .option("--json", "for machines")
    .action(() => {
      process.stdout.write(`capstan ${version}\n`);
    });
}
