import { expect, test } from "vitest";
import { readMcpJson } from "../../src/index.ts";

function read(servers: object, env: Readonly<Record<string, string>> = {}): ReturnType<typeof readMcpJson> {
  return readMcpJson(JSON.stringify({ mcpServers: servers }), env);
}

test("programs and addresses are read as other agents write them, with variables in their places", () => {
  const { servers, problems } = read(
    {
      files: { command: "${BIN:-npx}", args: ["-y", "${NAME}"], env: { A: "$${kept}", EMPTY: "" } },
      docs: { type: "http", url: "https://${HOST}/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
    },
    { NAME: "server", HOST: "example.com", TOKEN: "t" },
  );
  expect(problems).toEqual([]);
  expect(servers["files"]).toMatchObject({
    command: "npx",
    args: ["-y", "server"],
    env: { A: "${kept}", EMPTY: "" },
    url: null,
  });
  expect(read({ old: { type: "sse", url: "https://x/sse" } }).servers["old"]).toMatchObject({ transport: "sse" });
  expect(servers["docs"]).toMatchObject({
    url: "https://example.com/mcp",
    headers: { Authorization: "Bearer t" },
    command: null,
  });
});

test.each([
  ["neither program nor address", { a: {} }, "expected either `command` or `url`"],
  ["both", { a: { command: "x", url: "https://x" } }, "expected either `command` or `url`"],
  ["an unknown type", { a: { type: "carrier-pigeon", command: "x" } }, 'expected "stdio", "http" or "sse"'],
  ["a variable that is not set", { a: { command: "${NOWHERE}" } }, "the variable NOWHERE is not set"],
  ["no table", { a: "x" }, "expected a table"],
  ["a number as argument", { a: { command: "x", args: [1] } }, "args: expected a text"],
])("%s leaves that server out and no other", (_, wrong, problem) => {
  const { servers, problems } = read({ ...wrong, good: { command: "x" } });
  expect(Object.keys(servers)).toEqual(["good"]);
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

test.each(["", "[]", "{", '{"mcpServers": []}', '{"__proto__": {}}'])(
  "the text %j names no server, which is said",
  (text) => {
    const { servers, problems } = readMcpJson(text, {});
    expect([Object.keys(servers), problems.length]).toEqual([[], 1]);
  },
);
