import type { Command } from "commander";
import { isSimilar } from "./first-word.ts";

/** A shorter word is too often one letter away from another. */
const minSimilarCharacters = 3;

const alone = new WeakMap<Command, Command>();

/**
 * A command of a group that is also meant where the group's name stands alone, or with words and flags that only this command can
 * take: `capstan sessions` is `capstan sessions list`. Every group has one that lists or shows what there is.
 */
export function commandAlone(group: Command, name: string): Command {
  const command = group.command(name, { isDefault: true });
  alone.set(group, command);
  group.hook("preSubcommand", (_group, chosen) => {
    if (chosen === command) refuseOtherCommands(group, command);
  });
  return command;
}

/** What runs where the group's name stands alone. */
export function whatRunsAlone(group: Command): Command | undefined {
  return alone.get(group);
}

/** A word that is nearly another command's name, or that this command cannot take, was meant as a command. */
function refuseOtherCommands(group: Command, command: Command): void {
  const [word = "-"] = group.args;
  const names = group.commands.map((one) => one.name());
  if (word.startsWith("-") || names.includes(word)) return;
  const meant = names.find((name) => isSimilar(word, name, minSimilarCharacters));
  if (meant === undefined && command.registeredArguments.length > 0) return;
  const suggestion = meant === undefined ? "" : `\n(Did you mean ${meant}?)`;
  group.error(`error: unknown command '${word}'${suggestion}`, { code: "commander.unknownCommand" });
}
