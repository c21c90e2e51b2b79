import { expect, test } from "vitest";
import { Fields } from "../../src/params/fields.ts";
import { readPrompt } from "../../src/params/prompt-content.ts";
import { readPlace } from "../../src/params/session-place.ts";

const read = (prompt: unknown): unknown => readPrompt(new Fields({ prompt }));

function place(...names: readonly string[]): unknown {
  const mcpServers = names.map((name) => ({ name, command: "x", args: [], env: [] }));
  return readPlace(new Fields({ cwd: "/work", mcpServers }));
}

test("words and the links between them are one text, and a link to a file is its path", () => {
  const prompt = [
    { type: "text", text: "See " },
    { type: "resource_link", name: "a b.ts", uri: "file:///work/a%20b.ts#L1-5" },
    { type: "text", text: " and " },
    { type: "resource_link", name: "page", uri: "https://example.org/x" },
  ];
  expect(read(prompt)).toEqual([{ type: "text", text: "See /work/a b.ts and https://example.org/x" }]);
});

test("what is no prompt is refused with the place of what is wrong", () => {
  expect(() => read("hello")).toThrow("params.prompt: a list is expected");
  expect(() => read([{ type: "video" }])).toThrow('params.prompt[0]: the type "video" is not known');
  expect(() => read([{ type: "text" }])).toThrow("params.prompt[0].text: a text is expected");
  expect(() => read([{ type: "resource", resource: { uri: "file:///a.bin", blob: "AAAA" } }])).toThrow("is not taken");
  expect(() => read(Array.from({ length: 101 }, () => ({ type: "text", text: "x" })))).toThrow("at most 100 entries");
});

test("a server's name becomes one that tools can have, and two of one name are refused", () => {
  expect(place("My Server (2)")).toMatchObject({ servers: [{ name: "My-Server-2" }] });
  expect(() => place("a b", "a-b")).toThrow("two of the servers have the name a-b");
  expect(() => place("б")).toThrow("no letter or digit");
});

test("a server of a kind that is not offered is refused, and relative directories are", () => {
  const sse = { name: "a", type: "sse", url: "http://127.0.0.1", headers: [] };
  expect(() => readPlace(new Fields({ cwd: "/work", mcpServers: [sse] }))).toThrow('type "sse"');
  expect(() => readPlace(new Fields({ cwd: "work" }))).toThrow("params.cwd: an absolute path is expected");
  expect(() => readPlace(new Fields({ cwd: "/work", additionalDirectories: ["x"] }))).toThrow("no absolute path");
});
