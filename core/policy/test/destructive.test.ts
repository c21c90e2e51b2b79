/** Rules that speak only of calls that may lose something for good, or only of others. */
import type { Rule } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isDestructive } from "../src/destructive.ts";
import { type Command, commandAction, fileAction, judgeCommandUnder } from "./situations.ts";

const losing: readonly Command[] = [
  "rm a.txt",
  ["/bin/rm", "-rf", "build"],
  "sudo rm -r x",
  "find . -name '*.o' -delete",
  "ls | xargs rm",
  "git push --force",
  "git push origin +main",
  "git push origin :old",
  "git -C sub reset --hard main",
  "git clean -fd",
  "git checkout -- a.txt",
  "git restore a.txt",
  "git branch -D topic",
  "git stash drop",
  ["psql", "-c", "DROP TABLE users"],
  ["psql", "-c", "delete from users"],
  "kubectl delete pod x",
  "terraform destroy",
  "npm test && dd if=/dev/zero of=disk",
  "$(cat script)",
  'eval "$x"',
];

const keeping: readonly Command[] = [
  "ls -la",
  "npm test",
  "git push origin main",
  "git reset --soft main",
  "git restore --staged a.txt",
  "git checkout main",
  "git branch topic",
  "git stash list",
  "grep -rn removed src",
  ["psql", "-c", "select * from users"],
];

test.each(losing)("%j may lose something", (command) => {
  expect(isDestructive(commandAction(command))).toBe(true);
});

test.each(keeping)("%j loses nothing", (command) => {
  expect(isDestructive(commandAction(command))).toBe(false);
});

test("a file that is deleted is lost, one that is changed is not", () => {
  expect(isDestructive(fileAction("apply_patch", "delete", "a.txt"))).toBe(true);
  expect(isDestructive(fileAction("edit_file", "write", "a.txt"))).toBe(false);
});

const ask: Rule = { verdict: "ask", tool: "run_command", destructive: true, source: "user", text: "run_command" };
const allow: Rule = { verdict: "allow", tool: "run_command", destructive: false, source: "user", text: "run_command" };
const deny: Rule = { ...ask, verdict: "deny" };

function verdict(command: Command, ...rules: readonly Rule[]): string {
  return judgeCommandUnder(command, { rules }).verdict;
}

test("a rule about destructive calls counts for them alone, and one about others for the others", () => {
  for (const command of losing.slice(0, -2)) expect([command, verdict(command, deny)]).toEqual([command, "deny"]);
  for (const command of keeping) expect([command, verdict(command, deny, allow)]).toEqual([command, "allow"]);
  for (const command of losing) expect([command, verdict(command, allow)]).not.toEqual([command, "allow"]);
});

test("what is not destructive stays so only without a word that is: nothing put behind a command makes it harmless", () => {
  const word = fc.constantFrom("ls", "-la", "rm", "sudo", "x", "git", "clean", "reset", "--hard", "--soft", "delete");
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.array(word, { maxLength: 3 }), (words, more) => {
      const before = isDestructive(commandAction(words));
      const loses = words.includes("rm") || words.includes("delete");
      expect(loses && !before).toBe(false);
      expect(loses && !isDestructive(commandAction([...words, ...more]))).toBe(false);
    }),
    { numRuns: runs(200) },
  );
});
