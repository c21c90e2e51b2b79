import type { Command } from "commander";
import { isSimilar } from "./installation/similar-word.ts";

/** A shorter word is too often one letter away from another. */
const minSimilarCharacters = 3;

const alone = new WeakMap<Command, Command>();

/**
 * A command of a group that is also meant where the group's name stands alone, or with flags: `capstan sessions --json` is
 * `capstan sessions list --json`. Every group has one that lists or shows what there is.
 * @param takesWords  words that name no command are this command's, too
 */
export function commandAlone(group: Command, name: string, takesWords = false): Command {
  const command = group.command(name, { isDefault: true });
  alone.set(group, command);
  group.hook("preSubcommand", (_group, chosen) => {
    if (chosen === command) refuseOtherCommands(group, takesWords);
  });
  return command;
}

/** What runs where the group's name stands alone. */
export function whatRunsAlone(group: Command): Command | undefined {
  return alone.get(group);
}

/** A word that stands in a command's place was meant as one; where words count, too, one that is nearly a command's name was. */
function refuseOtherCommands(group: Command, takesWords: boolean): void {
  const [word = "-"] = group.args;
  const names = group.commands.map((one) => one.name());
  if (word.startsWith("-") || names.includes(word)) return;
  const meant = names.find((name) => isSimilar(word, name, minSimilarCharacters));
  if (meant === undefined && takesWords) return;
  const suggestion = meant === undefined ? "" : `\n(Did you mean ${meant}?)`;
  group.error(`error: unknown command '${word}'${suggestion}`, { code: "commander.unknownCommand" });
}
