import { type Command, Help } from "commander";
import { whatRunsAlone } from "../alone.ts";

/** Narrower than this a description is hard to read beside what it describes, and stands below it. */
const leastWidth = 24;

const itemIndent = 2;
const belowIndent = 6;

/**
 * Help that fits the width of any terminal. What commander does by itself is to wrap nothing where less than 40 columns are left,
 * which is so in a usual window already where a command has several arguments.
 */
export const fittingHelp: Pick<Help, "showGlobalOptions" | "minWidthToWrap" | "subcommandDescription" | "formatItem"> =
  {
    showGlobalOptions: false,
    minWidthToWrap: leastWidth,
    subcommandDescription(this: Help, command: Command): string {
      const said = Help.prototype.subcommandDescription.call(this, command);
      const isAlone = command.parent !== null && whatRunsAlone(command.parent) === command;
      return isAlone ? `${said} (default)` : said;
    },
    formatItem(this: Help, ...item: Parameters<Help["formatItem"]>): string {
      const [term, termWidth, description, helper] = item;
      const width = this.helpWidth ?? usualWidth;
      const isBeside = width - termWidth - 2 * itemIndent >= leastWidth;
      if (isBeside || description === "") return Help.prototype.formatItem.apply(this, item);
      const below = helper.boxWrap(description, Math.max(leastWidth, width - belowIndent));
      return `${" ".repeat(itemIndent)}${term}\n${below.replaceAll(/^/gm, " ".repeat(belowIndent))}`;
    },
  };

const usualWidth = 80;
