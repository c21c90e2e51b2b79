import type { Argument, Command, Option } from "commander";
import { whatRunsAlone } from "../alone.ts";
import { valuesOf, type ValueKind } from "./value-kinds.ts";

/** One command as a shell or a manual sees it. */
export interface CommandEntry {
  /** The words that name it, without `capstan`; none for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Of a group of commands also those of what runs where its name stands alone. */
  readonly flags: readonly FlagEntry[];
  readonly words: readonly WordEntry[];
}

export interface FlagEntry {
  /** `-m`, `--model`: each way to write it. */
  readonly names: readonly string[];
  /** `-m, --model <provider/id>`. */
  readonly usage: string;
  readonly description: string;
  /** What stands after it; `undefined`: nothing does. */
  readonly value: ValueKind | undefined;
}

/** A word that is no flag. */
export interface WordEntry {
  /** `<id>`, `[prompt]`, `[ids...]`. */
  readonly usage: string;
  readonly description: string;
  readonly value: ValueKind;
}

/** Every command that help shows, the program first, each before those below it. */
export function commandTable(program: Command): readonly CommandEntry[] {
  return entriesBelow(program, []);
}

/** The same as a shell completes it: without a command's name a line is a run, and takes its flags. */
export function completionTable(program: Command): readonly CommandEntry[] {
  const table = commandTable(program);
  const ofRun = table.find(({ path }) => path.join(" ") === "run")?.flags ?? [];
  const added = ofRun.filter(({ names }) => !names.includes("--help"));
  return table.map((entry) => (entry.path.length === 0 ? { ...entry, flags: [...entry.flags, ...added] } : entry));
}

function entriesBelow(command: Command, path: readonly string[]): readonly CommandEntry[] {
  const help = command.createHelp();
  // The help command only says again what `--help` does.
  const below = help.visibleCommands(command).filter((one) => one.name() !== "help");
  const entry: CommandEntry = {
    path,
    description: command.description(),
    commands: below.map((one) => ({ name: one.name(), description: one.description() })),
    flags: [...help.visibleOptions(command), ...optionsAlone(command)].map((option) => flagEntry(option, path)),
    words: command.registeredArguments.map((argument) => wordEntry(argument, path)),
  };
  return [entry, ...below.flatMap((one) => entriesBelow(one, [...path, one.name()]))];
}

function optionsAlone(command: Command): readonly Option[] {
  const alone = whatRunsAlone(command);
  return alone === undefined
    ? []
    : alone
        .createHelp()
        .visibleOptions(alone)
        .filter(({ long }) => long !== "--help");
}

function flagEntry(option: Option, path: readonly string[]): FlagEntry {
  const { flags: usage, description, required, optional } = option;
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const placeholder = /[<[]([^>\]]*)[>\]]/.exec(usage)?.[1] ?? "";
  const value =
    required || optional ? valuesOf({ name: option.long ?? "", placeholder, description, path }) : undefined;
  return { names, usage, description, value };
}

function wordEntry(argument: Argument, path: readonly string[]): WordEntry {
  const name = argument.name();
  const whole = argument.variadic ? `${name}...` : name;
  const { description } = argument;
  return {
    usage: argument.required ? `<${whole}>` : `[${whole}]`,
    description,
    value: valuesOf({ name, placeholder: name, description, path }),
  };
}
