import { expect, test } from "vitest";
import { newFolder, runWords } from "../run-words.ts";

test("a policy is explained with the rule that decided", async () => {
  const folder = newFolder();
  const explained = await runWords([
    "policy",
    "explain",
    "npm test && rm -rf x",
    "-C",
    folder,
    "--deny",
    "run_command(rm *)",
    "--json",
  ]);
  expect(JSON.parse(explained.stdout)).toMatchObject({
    mode: "default",
    judgement: { verdict: "deny", rule: { text: "run_command(rm *)", source: "flag" } },
  });
  const text = await runWords(["policy", "explain", "echo $(date)", "-C", folder, "--sandbox", "off"]);
  expect(text).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ask \(mode default\)/) });
});
