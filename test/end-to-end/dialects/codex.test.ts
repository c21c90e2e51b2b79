import { expect, test } from "vitest";
import { type Stage, usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";
import type { Run } from "../stage/run-capstan.ts";

const place = usePlace();
const json = ["exec", "--experimental-json", "--model", "openai/rehearsal", "--skip-git-repo-check"];

function exec(stage: Stage, input: string, ...args: readonly string[]): Promise<Run> {
  const { OPENAI_API_KEY: key = "", ...env } = stage.env;
  return place.run([...json, ...args], { input, env: { ...env, CODEX_API_KEY: key } });
}

function itemsOf(run: Run): readonly unknown[] {
  return parseLines(run).flatMap(({ type, item }) => (type === "item.completed" ? [item] : []));
}

test("`capstan exec` shows a turn in Codex's lines, and another process continues it", async () => {
  const run = { name: "run_command", arguments: { command: "echo out; exit 3" } };
  const write = { name: "write_file", arguments: { path: "made.txt", content: "x\n" } };
  const plan = { name: "update_plan", arguments: { plan: [{ step: "one", status: "completed" }] } };
  const stage = await place.rehearse("openai-responses", [
    { text: "I try.", tool_calls: [run, write, plan] },
    { text: "tried" },
    { text: "again" },
  ]);
  const first = await exec(stage, "try it", "--sandbox", "workspace-write");
  const lines = parseLines(first);
  const id = String(lines[0]?.["thread_id"]);
  expect(lines.slice(0, 2)).toEqual([{ type: "thread.started", thread_id: id }, { type: "turn.started" }]);
  expect(itemsOf(first)).toMatchObject([
    { type: "agent_message", text: "I try." },
    { type: "command_execution", command: "echo out; exit 3", exit_code: 3, status: "failed" },
    { type: "file_change", changes: [{ path: "made.txt", kind: "add" }], status: "completed" },
    { type: "agent_message", text: "tried" },
    { type: "todo_list", items: [{ text: "one", completed: true }] },
  ]);
  expect(lines.at(-1)).toMatchObject({ type: "turn.completed", usage: { output_tokens: expect.any(Number) } });
  expect(first.code).toBe(0);
  const second = await exec(stage, "again", "resume", id);
  expect(parseLines(second)[0]).toEqual({ type: "thread.started", thread_id: id });
  expect(itemsOf(second)).toMatchObject([{ type: "agent_message", text: "again" }]);
  expect(stage.exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
});
