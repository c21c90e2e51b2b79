import { Command, CommanderError } from "commander";
import type { TuiFlags } from "../terminal-ui/open-tui.ts";
import { collect, withPermissionFlags, withSettingsFlags } from "./settings-flags.ts";

/** `capstan tui`, and `capstan` without words at a terminal. */
export function addTui(program: Command, finish: (exitCode: number) => void): Command {
  return withPermissionFlags(withSettingsFlags(program.command("tui")))
    .argument("[prompt...]", "the first words, sent at once")
    .description("open the terminal UI (`capstan` without words at a terminal does, too)")
    .option("-c, --continue", "resume the latest session of this directory")
    .option("-r, --resume <id>", "resume this session, by id or name (a unique beginning of its id will do)")
    .option("--fork-session", "with --continue or --resume: continue in a copy")
    .option("-n, --name <name>", "the name of the new session, by which it can be resumed")
    .option("-m, --model <provider/id>", "the model of a new session")
    .option("--effort <level>", "how much effort goes into answers: minimal, low, medium, high, xhigh or max")
    .option("--persona <name>", "a way of working, from `capstan personas` (repeatable)", collect)
    .option("--screen <screen>", "inline (below what stands there) or full")
    .option("--screen-reader", "only append whole lines, each with a word in front, and take answers as numbers")
    .action(async (words: readonly string[], flags: TuiFlags) => {
      const { openTui } = await import("../terminal-ui/open-tui.ts");
      finish(await openTui(words.length === 0 ? undefined : words.join(" "), flags));
    });
}

/** Whether a command line without a command has flags of the terminal UI alone, and no words: `capstan -m opus`. */
export function opensTui(args: readonly string[]): boolean {
  if (args.length === 0) return true;
  if (args[0]?.startsWith("-") !== true) return false;
  const tui = addTui(new Command(), () => undefined).exitOverride();
  try {
    // Nothing is said of what is wrong: `capstan run` says it.
    const { operands, unknown } = tui.configureOutput({ outputError: () => undefined }).parseOptions([...args]);
    return operands.length === 0 && unknown.length === 0;
  } catch (error) {
    if (error instanceof CommanderError) return false;
    throw error;
  }
}
