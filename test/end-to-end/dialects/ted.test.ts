import { expect, test } from "vitest";
import { type Stage, usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";
import type { Run } from "../stage/run-capstan.ts";

const place = usePlace();

function ted(stage: Stage, ...args: readonly string[]): Promise<Run> {
  return place.run(["embed", "--dialect", "ted", "--model", "anthropic/rehearsal", ...args], { env: stage.env });
}

/** Each line as Ted's programs read it: its type, and its data. */
function shown(run: Run): readonly unknown[] {
  return parseLines(run).map(({ type, timestamp, session_id: id, data }) => {
    expect([typeof timestamp, typeof id]).toEqual(["number", "string"]);
    return { type, data };
  });
}

const idle = (line: unknown): boolean => !/"(?:status|session_metadata)"/.test(JSON.stringify(line));

test("a turn comes as the lines that Ted's programs read, in their order", async () => {
  const plan = { name: "update_plan", arguments: { plan: [{ step: "write it", status: "in_progress" }] } };
  const write = { name: "write_file", arguments: { path: "made.txt", content: "x\n" } };
  const run = { name: "run_command", arguments: { command: "echo out; exit 3" } };
  const stage = await place.rehearse("anthropic", [
    { text: "I do it.", tool_calls: [plan, write, run] },
    { text: "Done." },
  ]);
  const first = await ted(stage, "--permission-mode", "accept-edits", "do it");
  const lines = shown(first);
  expect(lines[0]).toMatchObject({
    type: "session_metadata",
    data: { resumed: false, working_directory: place.workspace, provider: "anthropic", model: "rehearsal" },
  });
  expect(lines).toContainEqual({ type: "status", data: { state: "thinking", message: "Thinking..." } });
  expect(lines).toContainEqual({ type: "status", data: { state: "running", message: "Executing 3 tool(s)..." } });
  const asked = { role: "user", content: "do it" };
  const said = { role: "assistant", content: "I do it." };
  expect(lines.filter(idle)).toEqual([
    { type: "message", data: { ...said, delta: true } },
    { type: "plan", data: { steps: [{ id: "1", description: "write it" }] } },
    { type: "file_create", data: { path: "made.txt", content: "x\n" } },
    { type: "command", data: { command: "echo out; exit 3", cwd: place.workspace } },
    { type: "command_output", data: { stream: "stdout", text: "out\n" } },
    { type: "command_output", data: { stream: "stdout", text: "", done: true, exit_code: 3 } },
    { type: "conversation_history", data: { messages: [asked, said] } },
    { type: "message", data: { role: "assistant", content: "Done.", delta: true } },
    {
      type: "conversation_history",
      data: { messages: [asked, said, { role: "assistant", content: "Done." }] },
    },
    { type: "completion", data: { success: true, summary: "Modified 1 file(s)", files_changed: ["made.txt"] } },
  ]);
  expect(first.code).toBe(0);
});

test("a history that the program hands over is what the model is shown, and comes back with the new turn", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "It is 7." }]);
  const before = [
    { role: "system", content: "never mind" },
    { role: "user", content: "The number is 7." },
    { role: "user", content: "The number is 7." },
    { role: "assistant", content: "Noted." },
  ];
  place.write("history.json", JSON.stringify(before));
  place.write("prompt.txt", "You count.");
  const given = ["--history", "history.json", "--system-prompt-file", "prompt.txt", "--no-tools"];
  const run = await ted(stage, ...given, "--files-in-context", "a.ts,b.ts", "Which number?");
  expect(shown(run).at(-2)).toEqual({
    type: "conversation_history",
    data: {
      messages: [
        { role: "user", content: "The number is 7." },
        { role: "assistant", content: "Noted." },
        { role: "user", content: "Which number?" },
        { role: "assistant", content: "It is 7." },
      ],
    },
  });
  const request = JSON.stringify(stage.exchanges[0]);
  for (const shownText of ["The number is 7.", "Noted.", "You count.", "a.ts, b.ts"])
    expect(request).toContain(shownText);
  expect(shown(run).at(-1)).toMatchObject({ data: { success: false, summary: "Waiting for your response" } });
});
