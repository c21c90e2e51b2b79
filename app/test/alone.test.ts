import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { commandTable } from "../src/installation/command-table.ts";
import { fits, wholeProgram } from "../src/program.ts";
import { runWords } from "./run-words.ts";

/** Every group of commands below one, with the words that name it. */
function groupsBelow(command: Command, path: readonly string[] = []): readonly (readonly [string[], Command])[] {
  return command.commands.flatMap((one) => {
    const words = [...path, one.name()];
    return [...(one.commands.length > 0 ? [[words, one] as const] : []), ...groupsBelow(one, words)];
  });
}

const listing = groupsBelow(wholeProgram()).filter(([, group]) => group.commands.some((one) => one.name() === "list"));

describe("a group of commands that has a list", () => {
  test.each(listing)("%j alone lists", (path, group) => {
    expect(fits(path)).toBe(true);
    expect(group.helpInformation()).toMatch(/^ {2}list .*\(default\)|^ {2}list [^\0]*?\(default\)\n {2}\S/m);
  });

  test("says the same alone and by its list, each time, flags included", async () => {
    for (const group of ["sessions", "trust", "quarantine", "interactions", "policy", "tools"]) {
      for (const flags of [[], ["--json"]]) {
        const [alone, named] = [await runWords([group, ...flags]), await runWords([group, "list", ...flags])];
        expect({ group, flags, ...alone }).toEqual({ group, flags, ...named });
        expect(alone.code).toBe(0);
      }
    }
  });

  test("has the flags of its list in completion and manual", () => {
    const table = commandTable(wholeProgram());
    const flags = (...path: readonly string[]): readonly string[] =>
      table.find((entry) => entry.path.join(" ") === path.join(" "))?.flags.map(({ usage }) => usage) ?? [];
    expect(flags("sessions").toSorted()).toEqual(flags("sessions", "list").toSorted());
  });
});

test.each([
  [["sessions", "shwo", "abc"], "unknown command 'shwo'; did you mean show?", "sessions show abc"],
  [["skills", "lst"], "unknown command 'lst'; did you mean list?", "skills list"],
  [["skills", "of", "cooks"], "unknown command 'of'", "run 'skills of cooks'"],
  [["sessions", "delet"], "unknown command 'delet'; did you mean delete?", "sessions delete --help"],
  [["audit", "verfy"], "unknown command 'verfy'; did you mean verify?", "audit verify"],
  [["config", "valdate"], "unknown command 'valdate'; did you mean validate?", "config validate"],
])("%j is no list: the command that was meant is named", async (words, problem, remedy) => {
  expect(await runWords(words)).toEqual({
    code: 2,
    stdout: "",
    stderr: `capstan: ${problem} [usage.invalid]\n  Try: capstan ${remedy}\n`,
  });
});

test("facts are looked for by words that name no command, and nearly a command's name is a mistake there, too", async () => {
  expect(await runWords(["facts", "deploy"])).toEqual(await runWords(["facts", "list", "deploy"]));
  expect(await runWords(["facts", "shwo"])).toMatchObject({ code: 2, stderr: expect.stringContaining("mean show") });
});
