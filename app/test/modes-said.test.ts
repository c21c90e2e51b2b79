/** Tool, sandbox, rules, help and README say the same of a mode; `test/end-to-end/modes` holds the gatekeeper to it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { modeSentences, permissionModes } from "@capstan/protocol";
import { expect, test } from "vitest";
import { newFolder, runWords } from "./run-words.ts";

const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8").replaceAll(/\s+/g, " ");

test.each(permissionModes)(
  "README, help and `policy explain` say the sentence of mode %s in the same words",
  async (mode) => {
    const sentence = modeSentences[mode];
    expect(readme).toContain(sentence);
    for (const command of ["run", "embed"]) {
      const { stdout } = await runWords([command, "--help"]);
      expect(stdout.replace(/\s+/g, " ")).toContain(`${mode} ${sentence}`);
    }
    const explained = await runWords(["policy", "explain", "--permission-mode", mode, "-C", newFolder(), "ls"]);
    expect(explained.stdout).toContain(`Mode ${mode}: ${sentence}\n`);
  },
);

test("`policy explain` says what a command may change there, and what undo does not cover", async () => {
  const explained = await runWords(["policy", "explain", "-C", newFolder(), "ls"]);
  expect(explained.stdout).toMatch(
    /this command runs outside it|read-only but for build folders, which undo does not cover/,
  );
});

test("`policy explain` takes a command as it is typed, in words or in one", async () => {
  const one = await runWords(["policy", "explain", "-C", newFolder(), "git commit --quiet -m 'two words' && ls"]);
  const typed = ["git", "commit", "--quiet", "-m", "two words", "&&", "ls"];
  const words = await runWords(["policy", "explain", "-C", newFolder(), "--", ...typed]);
  expect(one.stdout).toContain("Call: run_command: git commit");
  expect(words).toEqual(one);
});
