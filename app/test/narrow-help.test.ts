import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { wholeProgram } from "../src/program.ts";

/** A command and all below it. */
function withAll(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withAll)];
}

function helpAt(command: Command, columns: number): readonly string[] {
  command.configureOutput({ getOutHelpWidth: () => columns });
  return command.helpInformation().split("\n");
}

const commands = withAll(wholeProgram());

describe("the help of every command fits", () => {
  test("a window of 80 columns, and piped output", () => {
    expect(commands.length).toBeGreaterThan(40);
    expect(commands.flatMap((command) => helpAt(command, 80)).filter((line) => line.length > 80)).toEqual([]);
  });

  test("one of 40 columns, but for words that no line can hold", () => {
    const wide = commands.flatMap((command) => helpAt(command, 40)).filter((line) => line.length > 40);
    // How it is called is one line to read off, and so is a flag with its value.
    expect(wide.filter((line) => !/^(?:Usage: | {2}\S+(?: \[options\])?(?:,? [[<-]\S+)*$)/.test(line))).toEqual([]);
  });

  test("and says beside each flag what it said in one line", () => {
    for (const command of commands) {
      const words = (columns: number): string => helpAt(command, columns).join(" ").replaceAll(/\s+/g, " ");
      expect(words(40)).toBe(words(400));
    }
  });
});
