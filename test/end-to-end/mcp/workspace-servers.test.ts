import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";

const place = usePlace();

/** A server with one tool. */
const server = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize")
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } });
  else if (method === "tools/list")
    say({ id, result: { tools: [{ name: "greet", description: "Greets " + (process.env.WHO ?? "nobody"), inputSchema: { type: "object" } }] } });
  else if (id !== undefined) say({ id, result: { content: [{ type: "text", text: "Hello." }] } });
});
`;

function bring(who: string): void {
  place.write("server.mjs", server);
  const program = { command: process.execPath, args: ["server.mjs"], env: { WHO: who } };
  place.write(".mcp.json", JSON.stringify({ mcpServers: { mine: program, broken: { command: "${NOWHERE}" } } }));
}

test("a workspace's .mcp.json counts once the workspace is trusted, and no more when it changes", async () => {
  bring("the first");
  const stage = await place.rehearse("anthropic", [{ text: "1" }, { text: "2" }, { text: "3" }]);
  const offered = (index: number): boolean => JSON.stringify(stage.exchanges[index]?.body).includes("mcp__mine__greet");
  await stage.run(["Hello."]);
  expect([offered(0), (await place.run(["mcp", "list"])).stdout]).toEqual([
    false,
    expect.stringContaining("capstan trust add"),
  ]);
  await place.trust();
  const second = await stage.run(["Hello."]);
  expect([offered(1), second.stderr]).toEqual([true, expect.stringContaining("the variable NOWHERE is not set")]);
  const [listed] = parseLines(await place.run(["mcp", "list", "--json"]));
  expect(listed).toMatchObject({ name: "mine", from: expect.stringContaining(".mcp.json"), env: { WHO: "***" } });
  const tried = await place.run(["mcp", "test", "mine"]);
  expect([tried.code, tried.stdout]).toEqual([0, expect.stringContaining("mcp__mine__greet  Greets the first")]);
  bring("another");
  await stage.run(["Hello."]);
  expect(offered(2)).toBe(false);
});

slowTest(
  "a folder's server gets no key of a model, and with --trust, where nobody has looked at the file, nothing secret",
  async () => {
    const names = ["ANTHROPIC_API_KEY", "MY_TOKEN", "PLAIN"];
    const named = names.map(
      (name) => [name.replaceAll("_", "-"), { command: ["none-${", name, "}"].join("") }] as const,
    );
    place.write(".mcp.json", JSON.stringify({ mcpServers: Object.fromEntries(named) }));
    const stage = await place.rehearse("anthropic", [{ text: "1" }, { text: "2" }]);
    const env = { ...stage.env, MY_TOKEN: "token-value-1234", PLAIN: "plain" };
    const flagged = await stage.run(["--trust", "Hello."], { env });
    expect(left(flagged.stderr)).toEqual(["ANTHROPIC_API_KEY", "MY_TOKEN"]);
    await place.trust();
    const trusted = await stage.run(["Hello."], { env });
    expect(left(trusted.stderr)).toEqual(["ANTHROPIC_API_KEY"]);
    expect((await place.run(["mcp", "list"], { env })).stdout).toMatch(/^PLAIN +none-plain/m);
  },
);

slowTest("in safe mode a trusted folder's servers do not count", async () => {
  bring("somebody");
  await place.trust();
  expect((await place.run(["mcp", "list"])).stdout).toContain("mine");
  expect((await place.run(["mcp", "list", "--safe-mode"])).stdout).not.toContain("mine");
});

function left(stderr: string): readonly (string | undefined)[] {
  return [...stderr.matchAll(/the variable (\w+) is not set, or is kept/g)].map(([, name]) => name);
}
