import { slowTest } from "@capstan/testkit";
import { beforeEach, expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { linesOf } from "../stage/read-output.ts";
import { callCommand, furnish } from "./sandbox-place.ts";

const place = usePlace();

beforeEach(() => furnish(place));

slowTest("commands name protected files, list and look for them, and read inside .git", async () => {
  const script = [
    "ls -la .git | grep -c HEAD",
    "cat .git/HEAD",
    "find . -name .env",
    "git log --format=%s -- .env .gitignore",
    "grep -n .env .gitignore",
    "if [ -f .env ]; then echo there; fi",
  ].join("\n");
  for (const time of ["first", "second"]) {
    const { text } = await callCommand(place, { command: script });
    expect([time, text]).toEqual([time, expect.stringMatching(/^Exit code: 0/)]);
    expect(text).toContain("ref: refs/heads/");
    expect(text).toContain("./.env\nfirst\n1:.env\nthere");
  }
});

test("a direct access to a protected file is refused, and one under another name finds it closed", async () => {
  const direct = await callCommand(place, { command: "cat .env" });
  expect(direct).toMatchObject({ type: "denied", text: expect.stringContaining("it is a protected file") });
  const hidden = await callCommand(place, { command: "cat .en*; tail -n 5 $(ls -A | grep env)" });
  expect(hidden.text).toContain("Permission denied");
  expect(hidden.text).not.toContain("very-secret");
});

slowTest("a line about a protected file in another file is a change of that file", async () => {
  const command = "echo '.env.local' >> .gitignore";
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [call({ command })] },
    { tool_calls: [call({ command, writes: true })] },
    { text: "so" },
  ]);
  const run = await stage.run(["--permission-mode", "default", "--output-format", "stream-json", "go"]);
  const judged = linesOf(run, "tool-decided").map(({ judgement }) => Reflect.get(Object(judgement), "verdict"));
  expect(judged).toEqual(["allow", "ask"]);
  expect(JSON.stringify(stage.exchanges[1]?.body)).toContain("Call again with writes: true.");
  expect(place.read(".gitignore")).toBe(".env\n");
  const accepted = await callCommand(place, { command });
  expect(accepted.text).toMatch(/^Exit code: 0/);
  expect(place.read(".gitignore")).toBe(".env\n.env.local\n");
  expect((await callCommand(place, { command: "echo X=1 >> .env" })).type).toBe("denied");
});

function call(args: object): object {
  return { name: "run_command", arguments: args };
}
