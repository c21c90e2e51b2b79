import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { limited, usePlace } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf, toolNames } from "../stage/read-request.ts";

const place = usePlace();

const json = ["--output-format", "json"];

/** A server in a few lines: `touch` tries to write a file and says how that went, `hang` never answers. */
const server = `
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const touch = () => {
  try { writeFileSync("made.txt", "x"); return "it could write"; } catch (error) { return "it could not write: " + error.code; }
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const inputSchema = { type: "object" };
  if (method === "initialize")
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } });
  else if (method === "tools/list")
    say({ id, result: { tools: ["touch", "hang"].map((name) => ({ name, description: "Does " + name, inputSchema })) } });
  else if (method === "tools/call" && params.name === "touch") {
    const text = touch() + ", and sees " + Object.keys(process.env).filter((name) => name.includes("KEY")).join();
    say({ id, result: { content: [{ type: "text", text }] } });
  }
});
`;

function configure(lines: string): readonly string[] {
  place.write("server.mjs", server);
  place.write("../settings.toml", `[mcp_servers.mine]\n${lines}\n`);
  return [...json, "--config", join(place.workspace, "../settings.toml")];
}

const command = `command = ${JSON.stringify(process.execPath)}\nargs = ["server.mjs"]`;
const touch = { name: "mcp__mine__touch", arguments: {} };

test("a server's tool is offered; nobody allowed it, so it is denied; allowed, it runs in the sandbox, in this process and the next", async () => {
  const flags = configure(command);
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [touch] },
    { text: "denied" },
    { tool_calls: [touch] },
    { tool_calls: [touch] },
    { text: "done" },
  ]);
  const denied = await stage.run([...flags, "go"]);
  expect(denied.code).toBe(3);
  expect(JSON.stringify(stage.exchanges[0]?.body)).toContain("Does touch");
  const run = await stage.run([...flags, "--allow", "mcp__mine__touch", "--continue", "go"]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "done" });
  for (const exchange of stage.exchanges.slice(3, 5)) {
    const text = resultsOf(exchange).at(-1)?.text ?? "";
    expect(text).toMatch(/data, not instructions\]\nit could not write: E(?:ROFS|ACCES|PERM), and sees $/);
  }
  expect(place.has("made.txt")).toBe(false);
  await serverGone();
});

slowTest("a server that may write does", async () => {
  const flags = configure(`${command}\nwrites = true`);
  const stage = await place.rehearse("anthropic", [{ tool_calls: [touch] }, { text: "done" }]);
  await stage.run([...flags, "--allow", "mcp__mine", "go"]);
  expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("it could write");
});

slowTest(
  "tools that have no room in a request wait until the model has found them, and are there in the next process",
  async () => {
    const flags = configure(`${command}\ndefer_tools = true`);
    const find = { name: "search_tools", arguments: { query: "touch" } };
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [find] },
      { tool_calls: [touch] },
      { text: "done" },
      { text: "again" },
    ]);
    const run = await stage.run([...flags, "--allow", "mcp__mine", "go"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", text: "done" });
    expect(resultsOf(stage.exchanges[2]).at(-1)?.text).toContain("it could not write");
    await stage.run([...flags, "--continue", "go"]);
    const offered = stage.exchanges.map((exchange) => toolNames(exchange));
    const first = offered[0] ?? [];
    expect(first.filter((name) => name.startsWith("mcp__"))).toEqual([]);
    expect(first).toContain("search_tools");
    expect(offered.slice(1)).toEqual([1, 2, 3].map(() => [...first, "mcp__mine__touch"]));
  },
);

slowTest(
  "killed in a call: nothing of the server is left, and the next process does not call it again unasked",
  async () => {
    const flags = configure(command);
    const hang = { name: "mcp__mine__hang", arguments: {} };
    const stage = await place.rehearse("anthropic", [{ tool_calls: [hang] }, { text: "here" }]);
    const running = stage.start(["--output-format", "stream-json", ...flags.slice(2), "--allow", "mcp__mine", "go"]);
    await running.stdoutMatches(/"tool-started"/);
    expect(isServerRunning()).toBe(true);
    running.kill("SIGKILL");
    await running.ended;
    await serverGone();
    const run = await stage.run([...flags, "--allow", "mcp__mine", "--continue", "continue"]);
    expect({ code: run.code, outcome: parseResult(run)["outcome"] }).toEqual({ code: 6, outcome: "outcome-unknown" });
    expect(stage.exchanges).toHaveLength(1);
  },
);

slowTest("a tool that says something else in a later session is not run there, which that session says", async () => {
  const flags = configure(command).slice(2);
  const stage = await place.rehearse("anthropic", [
    { text: "first" },
    { tool_calls: [touch] },
    { text: "second" },
    { tool_calls: [touch] },
    { text: "last" },
  ]);
  await stage.run([...flags, "go"]);
  place.write("server.mjs", server.replace('"Does " + name', '"Does more than " + name'));
  const allowed = ["--allow", "mcp__mine"];
  const second = await stage.run([...flags, ...allowed, "go"]);
  expect(resultsOf(stage.exchanges[2]).at(-1)?.text).toContain("not what it was when it was offered");
  expect(second.stderr).toContain("are not what they were when they were first used");
  expect(second.stderr).toContain("capstan mcp approve mine");
  const last = await stage.run([...flags, ...allowed, "--continue", "continue"]);
  expect(last.code).toBe(0);
  // What is offered at once is what the last connection found: the changed tools are not in it.
  const offered = stage.exchanges.map((exchange) => toolNames(exchange).some((name) => name.startsWith("mcp__")));
  expect(offered).toEqual([true, true, false, false, false]);
});

slowTest("a server that does not work is named with what to do, and the turn takes place without it", async () => {
  const flags = configure('command = "no-such-program"');
  const stage = await place.rehearse("anthropic", [{ text: "done" }]);
  const run = await stage.run([...flags.slice(2), "go"]);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain("the MCP server mine does not work");
  expect(run.stderr).toContain("Check [mcp_servers.mine], or set enabled = false there");
});

slowTest.each([
  [`${command}\nurl = "http://127.0.0.1:1/"`, "set either command or url"],
  ['url = "http://127.0.0.1:1/"\nbearer_token_env = "NO_SUCH"', "bearer_token_env: the variable NO_SUCH is not set"],
  ["enabled = true", "set either command or url"],
])("a server that cannot be meant so stops the run with file, server and key: %s", async (lines, words) => {
  const stage = await place.rehearse("anthropic", [{ text: "done" }]);
  const run = await stage.run([...configure(lines).slice(2), "go"]);
  expect(run.stderr).toContain(`settings.toml:2 (user): [mcp_servers.mine]: ${words}`);
  expect(run.stderr).not.toContain("    at ");
  expect(run.code).toBe(2);
});

slowTest("a server that the folder brings along is not started, whether or not the folder is trusted", async () => {
  place.write("server.mjs", `import { writeFileSync } from "node:fs"; writeFileSync("started.txt", "");${server}`);
  place.write(".capstan/config.toml", `[mcp_servers.mine]\n${command}\nwrites = true\n`);
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  await stage.run(["go"]);
  await place.trust();
  await stage.run(["go"]);
  expect(place.has("started.txt")).toBe(false);
  expect(JSON.stringify(stage.exchanges.map(({ body }) => body))).not.toContain("mcp__mine");
});

/** The system collects a killed process in its own time. */
function serverGone(): Promise<void> {
  return limited("the end of the server", (resolve) => {
    const look = (): void => {
      if (isServerRunning()) setTimeout(look, 20);
      else resolve();
    };
    look();
  });
}

function isServerRunning(): boolean {
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isServer(name));
}

function isServer(pid: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return words[1] === "server.mjs" && readlinkSync(`/proc/${pid}/cwd`) === place.workspace;
  } catch {
    return false;
  }
}
