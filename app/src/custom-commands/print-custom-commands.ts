import { inertText } from "@capstan/view";
import { settingsFromFlags } from "../command-line/settings-flags.ts";
import type { CustomCommand } from "./custom-command.ts";
import { customCommandNamed, untrustedCommands } from "./expand-prompt.ts";
import { commandsFolder, findCustomCommands } from "./find-custom-commands.ts";

interface OutputFlags {
  readonly json?: boolean;
}

const places: Readonly<Record<CustomCommand["from"], string>> = {
  user: "",
  workspace: " (this folder)",
  capstan: " (comes with Capstan)",
};

/** `capstan commands list`. */
export async function listCustomCommands(flags: OutputFlags): Promise<number> {
  const settings = await settingsFromFlags({});
  const { home } = settings;
  const found = findCustomCommands(settings);
  if (found.every(({ from }) => from === "capstan") && flags.json !== true)
    process.stderr.write(
      `There are no commands of yours in ${inertText(commandsFolder(home))}.${untrustedCommands(settings)}\n`,
    );
  for (const { name, description, argumentHint, file, from } of found) {
    const typed = argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
    const where = places[from];
    const line =
      flags.json === true
        ? JSON.stringify({ name, description, argumentHint, file, from })
        : `${typed}${where}  ${description}`;
    process.stdout.write(`${inertText(line)}\n`);
  }
  return 0;
}

/** `capstan commands show NAME`: the prompt it stands for. */
export async function showCustomCommand(name: string, flags: OutputFlags): Promise<number> {
  const command = customCommandNamed(name, await settingsFromFlags({}));
  process.stdout.write(`${flags.json === true ? JSON.stringify(command) : inertText(command.body)}\n`);
  return 0;
}
