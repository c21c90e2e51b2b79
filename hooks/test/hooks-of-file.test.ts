import { expect, test } from "vitest";
import { hooksOfFile } from "../src/find/hooks-of-file.ts";

const read = (value: unknown) => hooksOfFile(JSON.stringify(value), "/w/.claude/settings.json", "settings.json");

test("groups with a matcher, hooks without one and the seeds' names are read", () => {
  const { hooks, problems } = read({
    permissions: { allow: [] },
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "a", timeout: 5 }, { command: "b" }] }],
      beforeToolCall: [{ command: "c" }],
      Stop: [{ hooks: [{ type: "command", command: "d", args: ["-x"] }] }],
    },
  });
  expect(problems).toEqual([]);
  expect(hooks.map(({ entry, work, timeoutMs }) => [entry.event, entry.matcher, work, timeoutMs])).toEqual([
    ["PreToolUse", "Bash", { type: "shell", script: "a" }, 5000],
    ["PreToolUse", "Bash", { type: "shell", script: "b" }, 60_000],
    ["PreToolUse", "", { type: "shell", script: "c" }, 60_000],
    ["Stop", "", { type: "program", argv: ["d", "-x"] }, 60_000],
  ]);
  expect(new Set(hooks.map(({ entry }) => entry.id)).size).toBe(4);
});

test.each([
  [{ hooks: { NoSuchThing: [{ hooks: [{ type: "command", command: "a" }] }] } }, "Capstan has no such event"],
  [{ hooks: { Stop: [{ hooks: [{ type: "prompt", prompt: "a" }] }] } }, 'Capstan runs no hooks of type "prompt"'],
  [{ hooks: { Stop: [{ hooks: [{ type: "command" }] }] } }, "command is missing"],
  [{ hooks: { PreToolUse: [{ matcher: "(", hooks: [{ command: "a" }] }] } }, "it is no regular expression"],
  [{ hooks: [] }, "expected an object of events"],
  [[], "it is no JSON object"],
])("what is no hook says why: %j", (file, why) => {
  const { hooks, problems } = read(file);
  expect([hooks.length, problems.length, problems[0]?.text]).toEqual([0, 1, expect.stringContaining(why)]);
});

test("what a file switches off, and what would need a network, is listed and not run", () => {
  const off = read({ disableAllHooks: true, hooks: { Stop: [{ hooks: [{ command: "a" }] }] } });
  const web = read({ hooks: { Stop: [{ hooks: [{ type: "http", url: "https://example.com" }] }] } });
  expect([off.hooks[0]?.inactive, web.hooks[0]?.inactive]).toEqual([
    "the file says disableAllHooks",
    "hooks of a workspace have no network",
  ]);
});
