/** Plugins that are written as data: what their tools do, what is refused, and what is said of the rest. */
import { once } from "node:events";
import { createServer } from "node:http";
import { inTurn, slowTest } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { callTool, namesOf, PluginPlace, pluginProcesses } from "./support/plugin-place.ts";

const yaml = `
name: house
version: 1.2.0
tools:
  greet:
    type: bash
    description: Greets somebody.
    parameters: { who: { type: string }, times: { type: integer, default: 1 } }
    command: printf '%s %s (%s)' "$CONFIG_word" "$ARG_who" "$ARGS"
  double:
    type: javascript
    description: Doubles a number.
    parameters: { number: { type: number } }
    code: return args.number * 2
  style:
    type: skill
    description: How we write.
    file: style.md
  never:
    type: bash
    description: Is switched off.
    enabled: false
    command: exit 1
  elsewhere:
    type: bash
    description: Is for another system.
    conditions: { platform: [win32] }
    command: exit 1
`;

const json = JSON.stringify({
  name: "house",
  version: "1.2.0",
  tools: {
    greet: {
      type: "bash",
      description: "Greets somebody.",
      inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
      command: `printf '%s %s (%s)' "$CONFIG_word" "$ARG_who" "$ARGS"`,
    },
    double: {
      description: "Doubles a number.",
      parameters: { number: { type: "number" } },
      code: "return args.number * 2",
    },
    style: { description: "How we write.", file: "style.md" },
  },
});

const toml = `
name = "house"
version = "1.2.0"

[[tools.definitions]]
name = "greet"
description = "Greets somebody."
command = '''printf '%s %s (%s)' "$CONFIG_word" "$ARG_who" "$ARGS"'''
[tools.definitions.parameters.who]
type = "string"

[[tools.definitions]]
name = "double"
description = "Doubles a number."
code = "return args.number * 2"
parameters = { number = { type = "number" } }

[[tools.definitions]]
name = "style"
description = "How we write."
file = "style.md"
`;

test.each(inTurn([["yaml", yaml] as const, ["json", json] as const, ["toml", toml] as const], "declared plugins"))(
  "tools of a plugin in %s run, twice: a script, a function and a text, each with arguments that are never part of its code",
  async (ending, text) => {
    const place = new PluginPlace();
    place.write(`plugins/house/house.plugin.${ending}`, text);
    place.write("plugins/house/style.md", "Write short sentences.");
    const { source, notices, reports } = await place.open({ settings: { house: { word: "Hello" } } });
    expect(notices).toEqual([]);
    expect(reports).toMatchObject([{ id: "house", name: "house", version: "1.2.0", isTrusted: false }]);
    expect(namesOf(source)).toEqual(["greet", "double", "style"]);
    for (const who of [`Ann"; echo $(id)`, "`Bob`"]) {
      const args = { who };
      const content = `Hello ${who} (${JSON.stringify(args)})`;
      expect(await callTool(source, "greet", { args })).toEqual({ status: "ok", content });
    }
    for (const number of [2, 21])
      expect(await callTool(source, "double", { args: { number } })).toMatchObject({ content: String(number * 2) });
    expect(await callTool(source, "style")).toMatchObject({ content: "Write short sentences." });
    await source.close();
    expect(pluginProcesses()).toEqual([]);
  },
);

test("a script that fails, takes too long or says too much is a failure in words, and the next call runs", async () => {
  const place = new PluginPlace();
  place.write(
    "plugins/tries.plugin.json",
    JSON.stringify({
      tools: {
        fails: tool("echo no luck; exit 3"),
        hangs: tool("echo begun; sleep 600", { timeout: 0.2 }),
        leaves: tool("sleep 600 & echo gone"),
        shouts: tool("head -c 3000000 /dev/zero | tr '\\0' x"),
        works: tool("echo here"),
      },
    }),
  );
  const { source } = await place.open({ outputBytes: 4_000_000 });
  expect(await callTool(source, "fails")).toMatchObject({ status: "failed", content: "no luck\nIt ended with 3." });
  const late = await callTool(source, "hangs");
  expect(late).toMatchObject({ status: "failed", content: "begun\nIt took longer than 0.2 s." });
  expect(await callTool(source, "leaves")).toMatchObject({ status: "ok", content: "gone\n" });
  const loud = await callTool(source, "shouts");
  expect(loud.content.slice(-30)).toMatch(/x\n\[The output was cut\.\]$/);
  expect(await callTool(source, "works")).toMatchObject({ content: "here\n" });
});

test("a tool that asks a server is there where its plugin is trusted, and else left out and named; arguments stay where they are put", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += String(piece)));
    request.on("end", () => {
      asked.push([request.method, request.url, request.headers["x-key"], body].join(" "));
      response.writeHead(request.url?.startsWith("/missing") === true ? 404 : 200).end("an answer");
    });
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const place = new PluginPlace();
  place.write(
    "plugins/web.plugin.json",
    JSON.stringify({
      tools: {
        find: {
          description: "Finds.",
          parameters: { what: { type: "string" }, count: { type: "integer" } },
          url: `${url}/{{ what }}?key={{ config.key }}`,
          method: "post",
          headers: { "x-key": "{{ config.key }}" },
          body: { exactly: "{{ count }}", words: ["about {{ what }}"] },
        },
        local: { description: "Needs nothing.", content: "a text" },
      },
    }),
  );
  const settings = { web: { key: "k/1" } };
  const untrusted = await place.open({ settings });
  expect(namesOf(untrusted.source)).toEqual(["local"]);
  expect(untrusted.notices.map(({ text }) => text)).toEqual([
    expect.stringMatching(/plugin web .* is used without find \(there is no network/),
  ]);
  const { source, notices } = await place.open({ settings, trusted: ["web"] });
  expect(notices).toEqual([]);
  const found = await callTool(source, "find", { args: { what: "a/../b?c", count: 2 } });
  expect(found).toMatchObject({ status: "ok", content: "an answer" });
  expect(asked).toEqual([`POST /a%2F..%2Fb%3Fc?key=k%2F1 k/1 {"exactly":2,"words":["about a/../b?c"]}`]);
  expect(await callTool(source, "find", { args: { what: "..", count: 2 } })).toMatchObject({ status: "failed" });
  expect(asked).toHaveLength(1);
  expect(await callTool(source, "find", { args: { what: "missing", count: 1 } })).toMatchObject({
    status: "failed",
    content: "It answered 404.\nan answer",
  });
});

test("a file that cannot be read is left out, and the place of what is wrong is named", async () => {
  const place = new PluginPlace();
  const files: Readonly<Record<string, readonly [text: string, problem: RegExp]>> = {
    "a.plugin.yaml": ["tools: [", /a\.plugin\.yaml: /],
    "b.plugin.toml": ["tools = ", /b\.plugin\.toml: /],
    "c.plugin.json": [tools({ command: "x", comand: "y" }), /tools\.t\.comand: there is no such field/],
    "d.plugin.json": [tools({}), /tools\.t\.type: it is missing/],
    "e.plugin.json": [tools({ type: "custom" }), /tools\.t\.type: custom is none of bash/],
    "f.plugin.json": [tools({ command: "x", parameters: { "a-b": {} } }), /a-b cannot be a variable/],
    "g.plugin.json": [tools({ url: "https://{{ host }}/x" }), /tools\.t\.url: .*without placeholders/],
    "h.plugin.json": [tools({ file: "../secret" }), /tools\.t\.file: it lies in the plugin's folder/],
    "i.plugin.json": [tools({ command: "x", timeout: 0 }), /tools\.t\.timeout: a number above 0/],
    "k.plugin.yaml": ["[1, 2]", /a table is wanted/],
  };
  for (const [name, [text]] of Object.entries(files)) place.write(`plugins/${name}`, text);
  place.write("plugins/code.plugin.json", tools({ code: "return (" }));
  const { source, notices } = await place.open();
  const text = notices.map((notice) => notice.text).join("\n");
  for (const [, problem] of Object.values(files)) expect(text).toMatch(problem);
  // Code is read when it is called.
  expect(await callTool(source, "t")).toMatchObject({ status: "failed" });
});

slowTest(
  "what belongs elsewhere is named with its place, conditions decide, and an update is used when it is accepted",
  async () => {
    const place = new PluginPlace();
    const plugin = { mcp: { servers: [] }, prompts: {}, tools: { t: { description: "d", content: "one" } } };
    place.write("plugins/parts.plugin.json", JSON.stringify(plugin));
    place.write("plugins/here.plugin.json", JSON.stringify({ ...plugin, conditions: { files: "no/such/file" } }));
    const first = await place.open();
    expect(namesOf(first.source)).toEqual(["t"]);
    const parts = first.notices.map(({ text }) => text).filter((text) => text.includes("parts"));
    expect(parts).toEqual([
      expect.stringContaining("is used without mcp (it belongs to the configuration's mcp_servers)"),
      expect.stringContaining("is used without prompts"),
    ]);
    place.write("plugins/parts.plugin.json", JSON.stringify(plugin).replace("one", "two"));
    const second = await place.open();
    expect(second.notices.map(({ text }) => text).join("\n")).toMatch(/parts\.plugin\.json \(changed\)/);
    expect(namesOf(second.source)).toEqual([]);
  },
);

function tool(command: string, more: object = {}): object {
  return { description: "Tries.", command, ...more };
}

function tools(only: object): string {
  return JSON.stringify({ tools: { t: { description: "d", ...only } } });
}
