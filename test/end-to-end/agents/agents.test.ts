/** Agents do work in sessions of their own, with no more than their caller has. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { onAnyWire } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";
import { endProcess, isRunning } from "../stage/process-state.ts";
import { type OutputObject, parseLines, parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();
const json = ["--output-format", "json"];

function call(agent: string, prompt: string): object {
  return { name: "spawn_agent", arguments: { agent, prompt } };
}

async function sessions(): Promise<readonly OutputObject[]> {
  return parseLines(await place.run(["sessions", "list", "--agents", "--json"]));
}

/** Those of agents, with the session that called each. */
async function ofAgents(): Promise<readonly OutputObject[]> {
  return (await sessions()).filter(({ spawnedBy }) => spawnedBy !== undefined);
}

onAnyWire("over %s", (wire, test, slowTest) => {
  test("an agent answers its caller from a session of its own, which knows nothing of what was said before", async () => {
    place.write("src/shop.js", "export const rate = 7;\n");
    const stage = await place.rehearse(wire, [
      { tool_calls: [call("explore", "Where is the rate?")] },
      { tool_calls: [{ name: "read_file", arguments: { path: "src/shop.js" } }] },
      { text: "It is in src/shop.js, line 1." },
      { text: "The agent found it." },
      { text: "Still here." },
    ]);
    const run = await stage.run([...json, "My secret plan: find the rate."]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", text: "The agent found it.", modelCalls: 4 });
    const asked = JSON.stringify(stage.exchanges[1]?.body);
    expect([asked.includes("Where is the rate?"), asked.includes("secret plan")]).toEqual([true, false]);
    const [answer] = resultsOf(stage.exchanges[3]);
    expect(answer?.text).toContain(
      "It is in src/shop.js, line 1.\n\n[Agent explore: done; 2 model calls, 1 tool call, ",
    );
    // The next day's -c is about the user's session, and lists are.
    await stage.run(["-c", "And now?"]);
    const [user, ...others] = parseLines(await place.run(["sessions", "list", "--json"]));
    expect([user?.["turns"], others]).toEqual([2, []]);
    expect(await ofAgents()).toMatchObject([{ spawnedBy: { sessionId: user?.["id"], agent: "explore" }, turns: 1 }]);
    const id = String(user?.["id"]);
    for (const named of [[id], []]) {
      const tree = await place.run(["sessions", "tree", ...named]);
      expect(tree.stdout).toMatch(
        /^My secret plan.* · done · began [\w ]+ · 2 turns · cost unknown · \w{26}\n└─ explore: Where is the rate\? · done · began [\w ]+ · 1 turn · cost unknown · \w{26}\n$/,
      );
    }
    const nodes = parseLines(await place.run(["sessions", "tree", id, "--json"]));
    expect(nodes).toMatchObject([
      { id, depth: 0, state: "done", turns: 2 },
      { depth: 1, state: "done", turns: 1, spawnedBy: { sessionId: id, agent: "explore" } },
    ]);
    expect(nodes.map(({ costUsd }) => costUsd)).toEqual([null, null]);
    const elsewhere = await place.run(["sessions", "tree"], { cwd: place.data });
    expect(elsewhere.stderr).toContain("no session was held in");
    // What is deleted is deleted with what worked for it.
    expect((await place.run(["sessions", "delete", id, "--yes"])).code).toBe(0);
    expect(await sessions()).toEqual([]);
  });

  test("an agent that only reads can change nothing, whatever it calls", async () => {
    const stage = await place.rehearse(wire, [
      { tool_calls: [call("explore", "Break out.")] },
      {
        tool_calls: [
          { name: "write_file", arguments: { path: "a.txt", content: "x" } },
          { name: "run_command", arguments: { command: "echo x > b.txt" } },
          call("implement", "Write c.txt"),
          { name: "exit_plan_mode", arguments: { plan: "Write everything." } },
        ],
      },
      { text: "I could not." },
      { text: "It could not." },
    ]);
    const run = await stage.run([...json, "--yolo", "Go."]);
    expect(parseResult(run)).toMatchObject({ outcome: "done" });
    expect(resultsOf(stage.exchanges[2]).map(({ text }) => text.includes("is not offered now"))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([place.has("a.txt"), place.has("b.txt"), (await ofAgents()).length]).toEqual([false, false, 1]);
  });

  slowTest("two agents work at once, and a second question calls two more", async () => {
    const both = { tool_calls: [call("explore", "Look left."), call("review", "Look right.")] };
    const answers = [{ text: "Nothing there." }, { text: "Nothing there." }];
    const stage = await place.rehearse(wire, [both, ...answers, { text: "One." }, both, ...answers, { text: "Two." }]);
    expect(parseResult(await stage.run([...json, "Look."]))).toMatchObject({ outcome: "done", text: "One." });
    expect(parseResult(await stage.run([...json, "-c", "Again."]))).toMatchObject({ outcome: "done", text: "Two." });
    expect(resultsOf(stage.exchanges.at(-1)).slice(-2)).toMatchObject([
      { text: expect.stringContaining("[Agent explore: done") },
      { text: expect.stringContaining("[Agent review: done") },
    ]);
    expect(await ofAgents()).toHaveLength(4);
  });

  slowTest("what an agent changed is shown with its caller's turn, and undone with it", async () => {
    place.write("kept.txt", "old\n");
    const stage = await place.rehearse(wire, [
      { tool_calls: [call("implement", "Write new.txt and change kept.txt.")] },
      {
        tool_calls: [
          { name: "write_file", arguments: { path: "new.txt", content: "new\n" } },
          { name: "run_command", arguments: { command: "echo changed > kept.txt" } },
        ],
      },
      { text: "Written." },
      { text: "Done." },
    ]);
    const run = await stage.run([...json, "--yolo", "Write."]);
    expect(parseResult(run)).toMatchObject({ outcome: "done" });
    expect([place.read("new.txt"), place.read("kept.txt")]).toEqual(["new\n", "changed\n"]);
    const undone = await place.run([
      "sessions",
      "undo",
      String((await sessions()).find(({ spawnedBy }) => spawnedBy === undefined)?.["id"]),
    ]);
    expect([undone.code, place.has("new.txt"), place.read("kept.txt")]).toEqual([0, false, "old\n"]);
  });

  test("killed while an agent works: it is carried on with, and its caller gets its answer once", async () => {
    const fault = { type: "stall", after_bytes: 2000 };
    const stage = await place.rehearse(wire, [
      { tool_calls: [call("explore", "Look closely.")] },
      { text: "Found it. ".repeat(200), fault },
      { text: "Thanks." },
      { text: "Good morning." },
    ]);
    const running = stage.start([...json, "Look."]);
    await stage.requests(2);
    running.kill("SIGKILL");
    await running.ended;
    const run = await stage.run([...json, "-c", "Continue."]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", text: "Good morning." });
    expect(stage.exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
    const answers = stage.exchanges.map(
      (exchange) => resultsOf(exchange).filter(({ text }) => text.includes("Found it.")).length,
    );
    expect(answers.slice(0, 4)).toEqual([0, 0, 0, 1]);
    expect(await ofAgents()).toMatchObject([{ turns: 1, lastOutcome: "done" }]);
  });

  slowTest(
    "stopped while an agent runs a command: nothing of it is left, and its session says that it was interrupted",
    async () => {
      const stage = await place.rehearse(wire, [
        { tool_calls: [call("bash", "Sleep.")] },
        {
          tool_calls: [
            { name: "run_command", arguments: { command: "echo $$ > pid; echo started > up; exec sleep 600" } },
          ],
        },
        { text: "Never said." },
      ]);
      const running = stage.start([...json, "--yolo", "Go."]);
      place.onClose(() => endProcess(place, "pid"));
      await vi.waitFor(() => expect(place.has("up")).toBe(true), 60_000);
      running.kill("SIGINT");
      expect((await running.ended).code).toBe(130);
      expect(isRunning(place, "pid")).toBe(false);
      expect(await ofAgents()).toMatchObject([{ lastOutcome: "interrupted" }]);
      expect(stage.exchanges).toHaveLength(2);
    },
  );

  slowTest(
    "agents written for Claude Code work unchanged: their tools go by its names, and a model that is not known here is the caller's",
    async () => {
      const folder = join(place.folder, "home", ".claude", "agents");
      mkdirSync(folder, { recursive: true });
      const front =
        "name: scout\ndescription: Use PROACTIVELY: scouts ahead\ntools: Read, Grep, Bash(ls:*)\nmodel: sonnet";
      writeFileSync(join(folder, "scout.md"), `---\n${front}\n---\nYou are a scout.\n`);
      const task = { description: "Scout", prompt: "Look ahead.", subagent_type: "scout" };
      const stage = await place.rehearse(wire, [
        { tool_calls: [{ name: "Task", arguments: task }] },
        { text: "All clear." },
        { text: "Good." },
      ]);
      expect(parseResult(await stage.run([...json, "Go."]))).toMatchObject({ outcome: "done", text: "Good." });
      const asked = JSON.stringify(stage.exchanges[1]?.body);
      expect(asked).toContain("You are a scout.");
      const named = [...asked.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
      expect(named).toEqual(expect.arrayContaining(["read_file", "search", "run_command"]));
      expect(named.filter((name) => name === "write_file" || name === "spawn_agent")).toEqual([]);
    },
  );
});
