import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";
import { lastUserText, resultsOf, toolNames } from "../stage/read-request.ts";

const place = usePlace();

const json = ["--output-format", "json"];

/** A server in a few lines: it asks for a colour, has a note and a prompt, and gets one tool more when it is called. */
const server = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const tools = [{ name: "paint" }, { name: "grow" }, { name: "think" }];
let waiting;
const answer = (id, text) => say({ id, result: { content: [{ type: "text", text }] } });
const replies = {
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "the note says so" }] }),
  "resources/list": () => ({ resources: [{ uri: "note:1", name: "a note" }] }),
  "prompts/list": () => ({ prompts: [{ name: "tidy", arguments: [{ name: "what", required: true }] }] }),
  "prompts/get": ({ arguments: { what } }) => ({ messages: [{ role: "user", content: { type: "text", text: "Tidy " + what + " up." } }] }),
  "tools/list": () => ({ tools: tools.map((tool) => ({ ...tool, description: "Does " + tool.name, inputSchema: { type: "object" } })) }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (id === "q") answer(waiting, "painted " + JSON.stringify(result));
  else if (id === "s") answer(waiting, "thought " + JSON.stringify(result ?? error));
  else if (method === "initialize")
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} }, serverInfo: { name: "x", version: "1" } } });
  else if (method in replies) say({ id, result: replies[method](params ?? {}) });
  else if (method === "tools/call" && params.name === "paint") {
    waiting = id;
    const requestedSchema = { type: "object", properties: { colour: { type: "string", enum: ["red", "blue"] } }, required: ["colour"] };
    say({ id: "q", method: "elicitation/create", params: { message: "Which colour?", requestedSchema } });
  } else if (method === "tools/call" && params.name === "think") {
    waiting = id;
    const messages = [{ role: "user", content: { type: "text", text: "What is six times seven?" } }];
    say({ id: "s", method: "sampling/createMessage", params: { messages, maxTokens: 40 } });
  } else if (method === "tools/call" && params.name === "grow") {
    tools.push({ name: "grown" });
    say({ method: "notifications/tools/list_changed" });
    setTimeout(() => answer(id, "grown"), 300);
  }
});
`;

function configure(more = ""): readonly string[] {
  place.write("server.mjs", server);
  const command = `command = ${JSON.stringify(process.execPath)}\nargs = ["server.mjs"]`;
  place.write("../settings.toml", `[mcp_servers.mine]\n${command}\n${more}\n`);
  return [...json, "--config", join(place.workspace, "../settings.toml"), "--allow", "mcp__mine"];
}

const paint = { name: "mcp__mine__paint", arguments: {} };

test("a server asks in the middle of a call, its user answers from another process, and the call ends with it, twice", async () => {
  const flags = configure();
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [paint] },
    { text: "done" },
    { tool_calls: [paint] },
    { text: "again" },
  ]);
  for (const [round, colour] of ["blue", "red"].entries()) {
    const running = stage.start([...flags, "--on-ask", "wait", ...(round === 0 ? [] : ["--continue"]), "go"]);
    await running.stderrMatches(/Waiting for an answer/);
    const [waiting] = parseLines(await place.run(["interactions", "list", "--json"]));
    const shown = await place.run(["interactions", "show", String(waiting?.["id"])]);
    expect(shown.stdout).toContain("The MCP server mine asks:");
    expect(shown.stdout).toContain("Which colour?: colour");
    await place.run(["interactions", "answer", String(waiting?.["id"]), "--reply", colour]);
    await running.ended;
    const result = resultsOf(stage.exchanges[2 * round + 1]).at(-1)?.text;
    expect(result).toContain(`painted {"action":"accept","content":{"colour":"${colour}"}}`);
  }
});

slowTest(
  "the model is asked for a server that its user has named for it, after a yes, and it counts in the turn; else the server is refused",
  async () => {
    const think = { name: "mcp__mine__think", arguments: {} };
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [think] },
      { text: "forty-two" },
      { text: "done" },
      { tool_calls: [think] },
      { text: "again" },
    ]);
    const running = stage.start([...configure("sampling = true"), "--on-ask", "wait", "go"]);
    await running.stderrMatches(/Waiting for an answer/);
    const [waiting] = parseLines(await place.run(["interactions", "list", "--json"]));
    const shown = await place.run(["interactions", "show", String(waiting?.["id"])]);
    expect(shown.stdout).toContain("What is six times seven?");
    await place.run(["interactions", "answer", String(waiting?.["id"]), "--reply", "Allow once"]);
    expect(parseResult(await running.ended)).toMatchObject({ outcome: "done", text: "done", modelCalls: 3 });
    expect(lastUserText(stage.exchanges[1])).toBe("What is six times seven?");
    expect(resultsOf(stage.exchanges[2]).at(-1)?.text).toContain('"text":"forty-two"');
    await stage.run([...configure(), "--continue", "go"]);
    expect(resultsOf(stage.exchanges[4]).at(-1)?.text).toContain("-32601");
  },
);

slowTest(
  "where nobody is asked, or a run parks, the server is answered at once, and the call ends by itself",
  async () => {
    const flags = configure();
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [paint] },
      { text: "done" },
      { tool_calls: [paint] },
      { text: "again" },
    ]);
    expect((await stage.run([...flags, "go"])).code).toBe(0);
    expect(resultsOf(stage.exchanges[1]).at(-1)?.text).toContain('painted {"action":"cancel"}');
    expect((await stage.run([...flags, "--on-ask", "park", "--continue", "go"])).code).toBe(0);
    expect(resultsOf(stage.exchanges[3]).at(-1)?.text).toContain('painted {"action":"decline"}');
  },
);

slowTest("killed while a server asks, the question is gone, and the call is in doubt and not made again", async () => {
  const flags = configure();
  const stage = await place.rehearse("anthropic", [{ tool_calls: [paint] }, { text: "here" }]);
  const running = stage.start([...flags, "--on-ask", "wait", "go"]);
  await running.stderrMatches(/Waiting for an answer/);
  running.kill("SIGKILL");
  await running.ended;
  const run = await stage.run([...flags, "--continue", "continue"]);
  expect({ code: run.code, outcome: parseResult(run)["outcome"] }).toEqual({ code: 6, outcome: "outcome-unknown" });
  expect((await place.run(["interactions", "list", "--json"])).stdout).toBe("");
  expect(stage.exchanges).toHaveLength(1);
});

slowTest(
  "a user names a resource and a prompt of a server; a tool that comes while a turn runs is in its next request",
  async () => {
    const flags = configure();
    const stage = await place.rehearse("anthropic", [
      { text: "one" },
      { text: "two" },
      { tool_calls: [{ name: "mcp__mine__grow", arguments: {} }] },
      { text: "three" },
    ]);
    await stage.run([...flags, "What does @mine:note:1 say?"]);
    expect(lastUserText(stage.exchanges[0])).toContain("the note says so");
    await stage.run([...flags, "--continue", "/mcp__mine__tidy the attic"]);
    expect(lastUserText(stage.exchanges[1])).toContain("Tidy the attic up.");
    await stage.run([...flags, "--continue", "go"]);
    const [before = [], after] = [2, 3]
      .map((at) => stage.exchanges[at])
      .map((each) => (each === undefined ? [] : toolNames(each)));
    expect(after).toEqual([...before, "mcp__mine__grown"]);
  },
);
