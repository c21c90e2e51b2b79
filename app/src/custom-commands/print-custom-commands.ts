import { dataDirectory } from "@capstan/host";
import { inertText } from "@capstan/view";
import { customCommandNamed } from "./expand-prompt.ts";
import { commandsFolder, findCustomCommands } from "./find-custom-commands.ts";

interface OutputFlags {
  readonly json?: boolean;
}

/** `capstan commands list`. */
export function listCustomCommands(flags: OutputFlags): number {
  const home = dataDirectory(process.env);
  const found = findCustomCommands(home);
  if (found.length === 0 && flags.json !== true)
    process.stderr.write(`There are no commands in ${inertText(commandsFolder(home))}.\n`);
  for (const { name, description, argumentHint, file } of found) {
    const typed = argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
    const line =
      flags.json === true ? JSON.stringify({ name, description, argumentHint, file }) : `${typed}  ${description}`;
    process.stdout.write(`${inertText(line)}\n`);
  }
  return 0;
}

/** `capstan commands show NAME`: the prompt it stands for. */
export function showCustomCommand(name: string, flags: OutputFlags): number {
  const command = customCommandNamed(name, dataDirectory(process.env));
  process.stdout.write(`${flags.json === true ? JSON.stringify(command) : inertText(command.body)}\n`);
  return 0;
}
