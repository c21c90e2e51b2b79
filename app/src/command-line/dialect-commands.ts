import type { Command } from "commander";
import { paragraphs } from "./wrapped-help.ts";

/** The dialects of `capstan embed` but our own take their own flags, and never come here: see `dialects/dialect-of.ts`. */
export function embedDialects(command: Command): Command {
  return command.option(
    "--dialect <name>",
    "the lines to speak: capstan, claude, codex or ted; of the last three the flags are those of that agent",
    "capstan",
  );
}

/** `capstan exec`, as it stands in the help: it runs through `dialects/run-codex.ts`. */
export function addExec(program: Command): void {
  program
    .command("exec")
    .argument("[words...]", "what to do (default: standard input); `resume ID` before it continues a session")
    .description("run one turn as `codex exec --json` does: its flags, its lines on stdout; `exec resume ID` continues")
    .option("--json", "lines of JSON, which is what there is (also --experimental-json)")
    .option("-m, --model <model>", "the model")
    .option("-C, --cd <dir>", "work in this directory")
    .option("--add-dir <dir>", "a further directory the session may touch (repeatable)")
    .option("-s, --sandbox <mode>", "read-only (plan mode), workspace-write (accept-edits) or danger-full-access")
    .option("-i, --image <file>", "an image the model sees (repeatable)")
    .option("--output-schema <file>", "the answer must be JSON that fits this JSON Schema")
    .option("-o, --output-last-message <file>", "write the last answer to this file as well")
    .option("-c, --config <key=value>", "a key of Codex's configuration (repeatable)")
    .addHelpText(
      "after",
      paragraphs(
        "It asks nobody: what would need a user is denied. docs/dialects.md says what is spoken and what is not.",
      ),
    );
}
