import { expect, test } from "vitest";
import { claudeCall, claudeMode, ourArguments, ourMode } from "../src/claude/claude-words.ts";

test.each([
  ["write_file", { path: "a", content: "x", overwrite: true }, "Write", { file_path: "a", content: "x" }],
  ["read_file", { path: "a", start_line: 3, end_line: 5 }, "Read", { file_path: "a", offset: 3, limit: 3 }],
  [
    "edit_file",
    { path: "a", old_string: "x", new_string: "y" },
    "Edit",
    { file_path: "a", old_string: "x", new_string: "y" },
  ],
  ["run_command", { command: "ls", timeout_seconds: 5 }, "Bash", { command: "ls", timeout: 5000 }],
  ["glob", { pattern: "*.ts" }, "Glob", { pattern: "*.ts" }],
  ["mcp__calc__add", { a: 1 }, "mcp__calc__add", { a: 1 }],
])("a call of %s is shown as Claude's agent would make it, and back", (tool, args, name, input) => {
  expect(claudeCall(tool, args)).toEqual({ name, input });
  expect(ourArguments(tool, { name, input })).toEqual(args);
});

test("lists of tasks, agents and questions have Claude's fields", () => {
  expect(claudeCall("update_plan", { plan: [{ step: "one", status: "pending" }] })).toEqual({
    name: "TodoWrite",
    input: { todos: [{ content: "one", status: "pending", activeForm: "one" }] },
  });
  expect(claudeCall("spawn_agent", { agent: "explore", prompt: "look" })).toMatchObject({
    name: "Task",
    input: { subagent_type: "explore", prompt: "look" },
  });
  expect(claudeCall("ask_user", { questions: [{ question: "Which?", options: [{ label: "a" }] }] })).toEqual({
    name: "AskUserQuestion",
    input: {
      questions: [
        { question: "Which?", header: "Question", options: [{ label: "a", description: "" }], multiSelect: false },
      ],
    },
  });
});

test("modes have Claude's names, and no other is one of ours", () => {
  expect(["default", "acceptEdits", "plan", "auto", "bypassPermissions", "dontAsk", ""].map(ourMode)).toEqual([
    "default",
    "accept-edits",
    "plan",
    "auto",
    null,
    null,
    null,
  ]);
  expect([claudeMode("accept-edits", false), claudeMode("default", true), claudeMode("plan", true)]).toEqual([
    "acceptEdits",
    "bypassPermissions",
    "plan",
  ]);
});
