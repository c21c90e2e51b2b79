import { Command, CommanderError } from "commander";
import { addExec, embedDialects } from "./command-line/dialect-commands.ts";
import { addAudit, addDoctor, addUpdate } from "./command-line/maintenance-commands.ts";
import { dialectOf } from "./dialects/dialect-of.ts";
import { exitCodeOf } from "./exit-code-of.ts";
import { failedResult } from "./failed-result.ts";
import { addInteractions } from "./asking/interaction-commands.ts";
import { addCompletion, addManual } from "./installation/installation-commands.ts";
import { knownError } from "./known-error.ts";
import { fittingHelp } from "./command-line/narrow-help.ts";
import { withRun } from "./command-line/first-word.ts";
import { withRepeatedToolFlags } from "./command-line/tool-words.ts";
import { withRunAlias } from "./command-line/run-alias.ts";
import { addPolicy } from "./command-line/policy-commands.ts";
import { reportError } from "./report-error.ts";
import { addConfig, addModels, addTools } from "./command-line/setup-commands.ts";
import { addAgents } from "./agents/agent-commands.ts";
import { addHooks } from "./hooks/hook-commands.ts";
import { addProblems } from "./problems/problem-command.ts";
import { addPlugins } from "./plugins/plugin-commands.ts";
import { addSkills } from "./skills/skill-commands.ts";
import { addCustomCommands } from "./command-line/custom-command-commands.ts";
import { addFacts } from "./asking/fact-commands.ts";
import { addProposals } from "./proposals/proposal-commands.ts";
import { addContext } from "./command-line/context-commands.ts";
import { addSessions } from "./command-line/session-commands.ts";
import { addQuarantineCommands } from "./command-line/quarantine-commands.ts";
import { addTrustCommands } from "./command-line/trust-commands.ts";
import { addAnswerHere, addRedo, addUndo } from "./command-line/here-commands.ts";
import { addResume, addRun } from "./command-line/run-command.ts";
import { addMcp } from "./servers/server-commands.ts";
import { addAcp } from "./command-line/acp-command.ts";
import { watchOutput } from "./lost-output.ts";
import { addTui, opensTui } from "./command-line/tui-command.ts";
import { withPermissionFlags, withSettingsFlags } from "./command-line/settings-flags.ts";
import { paragraphs } from "./command-line/wrapped-help.ts";
import { readingError } from "./usage-error.ts";
import { version } from "./version.ts";

/** What the process does as long as it lasts, whatever it runs. Call it once. */
export function prepareProcess(): void {
  watchOutput();
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
  let words = args.length === 1 && args[0] === "-V" ? ["--version"] : args;
  try {
    const dialect = dialectOf(words);
    if (dialect !== undefined) return await (await import("./dialects/run-dialect.ts")).runDialect(dialect);
    words = commandWords(words, process.stdin.isTTY && process.stdout.isTTY);
    const program = buildProgram(words, (code) => {
      exitCode = code;
    });
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    // Help and version are no errors.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const command = commandIn(words);
    const wrong = error instanceof CommanderError ? readingError(error, { words, command, fits }) : knownError(error);
    reportError(wrong, command);
    if (error instanceof CommanderError && wantsJson(args)) process.stdout.write(failedResult(wrong));
    return exitCodeOf(wrong);
  }
}

/** The words that name the command. */
function commandIn(words: readonly string[]): readonly string[] {
  const [first = "", second = ""] = words;
  const command = buildProgram([first], nothing).commands.find((one) => one.name() === first);
  if (command === undefined) return [];
  return command.commands.some((one) => one.name() === second) ? [first, second] : [first];
}

/**
 * A command line with its command as the first word.
 * @param isTerminal  somebody sits there: without words the terminal UI opens
 * @throws {AppError} `usage.invalid`
 */
export function commandWords(args: readonly string[], isTerminal: boolean): readonly string[] {
  if (isTerminal && opensTui(args)) return ["tui", ...args];
  if (args.length === 0) return ["run"];
  const words = withRunAlias(args, isCommand, () => addRun(new Command(), nothing));
  return withRun(withRepeatedToolFlags(words), { names: Object.keys(commands), takes });
}

/** Whether a command could take these words; nothing is carried out. */
function takes(name: string, words: readonly string[]): boolean {
  const problem = problemOf([name, ...words]);
  // A group of commands shows its help.
  return problem === undefined || problem.exitCode === 0 || problem.code === "commander.help";
}

/** Whether the words can be read, and are more than the beginning of a command; nothing is carried out. */
export function fits(words: readonly string[]): boolean {
  const problem = problemOf(words);
  return problem === undefined || problem.exitCode === 0;
}

function problemOf(words: readonly string[]): CommanderError | undefined {
  const program = buildProgram(words, nothing);
  const idle = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: nothing, writeErr: nothing, outputError: nothing });
    if (command.commands.length === 0 || command.registeredArguments.length > 0) command.action(nothing);
    for (const below of command.commands) idle(below);
  };
  idle(program);
  try {
    program.parse([...words], { from: "user" });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError) return error;
    throw error;
  }
}

function nothing(): void {
  // Only whether the words fit is asked.
}

/** Whether somebody waits for a result line, although the flags could not be read. */
function wantsJson(args: readonly string[]): boolean {
  return /(?:^|\0)--output-format[=\0](?:json|stream-json)(?:\0|$)/.test(args.join("\0"));
}

type Finish = (exitCode: number) => void;

/** Each adds one command. */
const commands: Readonly<Record<string, (program: Command, finish: Finish) => void>> = {
  run: addRun,
  resume: addResume,
  undo: addUndo,
  redo: addRedo,
  answer: addAnswerHere,
  tui: addTui,
  embed: addEmbed,
  acp: addAcp,
  exec: addExec,
  sessions: addSessions,
  proposals: addProposals,
  context: addContext,
  facts: addFacts,
  models: addModels,
  config: addConfig,
  doctor: addDoctor,
  update: addUpdate,
  audit: addAudit,
  interactions: addInteractions,
  policy: addPolicy,
  tools: addTools,
  commands: addCustomCommands,
  agents: addAgents,
  plugins: addPlugins,
  skills: addSkills,
  hooks: addHooks,
  mcp: addMcp,
  problems: addProblems,
  trust: addTrustCommands,
  quarantine: addQuarantineCommands,
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
  return buildProgram([], nothing);
}

/** The command line; with a command's name as first word only that command, since the others could not be meant. */
function buildProgram(words: readonly string[], finish: Finish): Command {
  const [first] = words;
  const named = first !== undefined && Object.hasOwn(commands, first) ? first : undefined;
  const program = new Command("capstan")
    .description(
      "An agent engine: a language model does real work in a real workspace, and nothing is lost or repeated on the way.",
    )
    .version(`capstan ${version}`, "-v, --version", "print the version")
    .exitOverride()
    .showSuggestionAfterError()
    // What was wrong is said once, in the form of every usage error.
    .configureOutput({ outputError: nothing, writeErr: nothing })
    .configureHelp(fittingHelp)
    .usage("[command] [options] | [options] [prompt...]")
    .addHelpText(
      "after",
      paragraphs(
        'Words that begin with no command are a prompt: `capstan fix the build` is `capstan run "fix the build"`.',
        "Exit codes: 0 done, 1 error, 2 usage or configuration, 3 a tool was denied, 4 limit reached, 5 provider failed, 6 outcome unknown, 7 parked, 124 timeout, 130 interrupted, 143 terminated.",
      ),
    );
  for (const [name, add] of Object.entries(commands)) if (named === undefined || name === named) add(program, finish);
  return program;
}

function addEmbed(program: Command, finish: Finish): void {
  embedDialects(withPermissionFlags(withSettingsFlags(program.command("embed"))))
    .description("serve the engine to the program that starts it: a JSON object per line on standard input and output")
    .option("-m, --model <provider/id>", "the model of new sessions")
    .option("--role <role>", "what the program may do: watch, ask, drive, approve or operate", "operate")
    .argument("[prompt]", "with --dialect ted: what to do")
    .option("--detach", "at the end of standard input leave turns as they are (default: they end first)")
    .addHelpText("after", paragraphs("Operations: docs/reference/operations.md. Log lines go to stderr."))
    .action(async (prompt: string | undefined, flags) =>
      finish(await (await import("./embed/embed.ts")).embed({ ...flags, prompt })),
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
      paragraphs(
        "A recording is a scenario: both are served alike, and every request is checked as its vendor would. What comes must also be what was recorded, but for dates, durations, ids, the working directory, the names of homes and temporary directories, cache marks, and fields that name a user or a session; --lenient lets everything of the same method, path and model through.",
      ),
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
