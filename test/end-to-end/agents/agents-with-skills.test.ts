/** Agents are instructed with the skills that their files name, and held to what those leave. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();
const json = ["--output-format", "json", "--permission-mode", "auto", "--yolo"];

function inHome(path: string): string {
  return join(place.folder, "home", ".claude", path);
}

function writeOwn(path: string, text: string): void {
  mkdirSync(dirname(inHome(path)), { recursive: true });
  writeFileSync(inHome(path), text);
}

/** An agent that has all tools of its caller, and a skill that leaves one command of them. */
function writeLooker(): void {
  writeOwn("agents/looker.md", "---\nname: looker\ndescription: Looks\nskills: look\n---\nYou look.\n");
  const front = "name: look\ndescription: How to look\nallowed-tools: Read, Bash(touch a.txt)";
  writeOwn("skills/look/SKILL.md", `---\n${front}\n---\nLook twice.\n`);
}

function call(prompt: string): object {
  return { name: "spawn_agent", arguments: { agent: "looker", prompt } };
}

function write(path: string): object {
  return { name: "write_file", arguments: { path, content: "x\n" } };
}

const touch = { name: "run_command", arguments: { command: "touch a.txt" } };
const only = "follows the skill look, which works with Read, Bash(touch a.txt) only";

test("each of two agents of one answer has the skill's text and limits, and one whose skill is gone is not called", async () => {
  writeLooker();
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [call("Left."), call("Right.")] },
    { tool_calls: [write("b.txt"), touch] },
    { tool_calls: [write("c.txt"), touch] },
    { text: "Looked." },
    { text: "Looked." },
    { text: "Both looked." },
    { tool_calls: [call("Again.")] },
    { text: "It could not." },
  ]);
  expect(parseResult(await stage.run([...json, "Go."]))).toMatchObject({ outcome: "done", text: "Both looked." });
  const ofAgents = stage.exchanges.slice(1, 5);
  expect(ofAgents.map(({ body }) => JSON.stringify(body).includes("Look twice."))).toEqual([true, true, true, true]);
  const results = ofAgents.flatMap((exchange) => resultsOf(exchange).map(({ text }) => text.includes(only)));
  expect([results.includes(true), results.includes(false)]).toEqual([true, true]);
  expect([place.has("a.txt"), place.has("b.txt"), place.has("c.txt")]).toEqual([true, false, false]);
  rmSync(inHome("skills/look"), { recursive: true });
  expect(parseResult(await stage.run([...json, "-c", "Again."]))).toMatchObject({ text: "It could not." });
  expect(resultsOf(stage.exchanges[7]).at(-1)?.text).toContain("The agent looker cannot have its skills. There is no");
});

test("killed with -9 it is carried on with what it was given, although the skill is gone", async () => {
  writeLooker();
  const fault = { type: "stall", after_bytes: 2000 };
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [call("Look.")] },
    { text: "Looking. ".repeat(200), tool_calls: [write("b.txt")], fault },
    { text: "I looked." },
    { text: "It looked." },
    { text: "Good morning." },
  ]);
  const running = stage.start([...json, "Go."]);
  await stage.requests(2);
  running.kill("SIGKILL");
  await running.ended;
  rmSync(inHome("skills/look"), { recursive: true });
  const run = await stage.run([...json, "-c", "Continue."]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "Good morning." });
  expect(JSON.stringify(stage.exchanges[2]?.body)).toContain("Look twice.");
  expect(resultsOf(stage.exchanges[3])[0]?.text).toContain(only);
  expect(place.has("b.txt")).toBe(false);
});
