import { expect, test } from "vitest";
import { matchesExample } from "../../src/rules/rule-example.ts";
import { rules } from "../situations.ts";

/** Whether a rule matches an example. */
function matches(line: string, example: string): boolean {
  const [rule] = rules(line);
  if (rule === undefined) throw new Error("no rule");
  return matchesExample(rule, example);
}

test.each<[string, string, boolean]>([
  ["allow run_command(npm *)", "npm test", true],
  ["allow run_command(npm *)", "pnpm test", false],
  ["deny run_command", "anything", true],
  ["allow write_file(src/**)", "src/a.ts", true],
  ["allow write_file(src/**)", "docs/a.ts", false],
  ["allow write_file", "write_file", true],
  ["allow write_file", "read_file", false],
])("%s and the example %s: %s", (line, example, expected) => {
  expect(matches(line, example)).toBe(expected);
});
