import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UserReply } from "@capstan/ports";
import { expect, onTestFinished, test } from "vitest";
import { DefinitionPins } from "../src/definition-pins.ts";
import { callTool, hostileServer, namesOf, newFolder, openServers, scriptServer } from "./support/servers.ts";

const honest = scriptServer("good", [hostileServer]);
const hostile = (how: string, ...args: readonly string[]): ReturnType<typeof scriptServer> =>
  scriptServer("bad", [hostileServer, how, ...args]);

const broken = [
  ["no program", scriptServer("bad", [], { place: { ...placeOf("no-such-program") } }), "name one on the PATH"],
  ["ends at once", hostile("quits"), "exit code 3); it said: no token configured"],
  ["never answers", { ...hostile("silent"), startupTimeoutMs: 200 }, "bad does not work"],
] as const;

function placeOf(command: string): ReturnType<typeof scriptServer>["place"] {
  return { type: "program", command, args: [], env: {}, cwd: null, hosts: [], writes: false };
}

test.each(broken)("a server that %s is reported with its remedy, and the others work", async (_how, server, words) => {
  const { source, notices } = await openServers([server, honest]);
  expect(notices).toMatchObject([{ code: "mcp.unavailable", text: expect.stringContaining(words) }]);
  expect(notices[0]?.text).toContain("Check [mcp_servers.bad]");
  expect(notices[0]?.text).not.toContain("\u001b");
  expect(await callTool(source, "mcp__good__echo", { text: "hello" })).toMatchObject({ status: "ok" });
});

test.each([
  ["floods-line", "more than 8388608 bytes"],
  ["floods-notices", "messages that nobody asked for"],
  ["no-json", "that are no messages"],
  ["lying-schema", ""],
])("a server that answers a call with %s fails that call, and no other server's", async (how, words) => {
  const { source } = await openServers([hostile(how), honest]);
  const tool = how === "lying-schema" ? "mcp__bad__typed" : "mcp__bad__echo";
  const result = await callTool(source, tool, { text: "x" });
  expect(result).toMatchObject({ status: "failed", content: expect.stringContaining(words) });
  expect(result.content.length).toBeLessThan(2000);
  expect(await callTool(source, "mcp__good__echo", { text: "hello" })).toMatchObject({ status: "ok" });
});

test("a server that hangs fails its call when the time is up", async () => {
  const { source } = await openServers([{ ...hostile("hangs"), toolTimeoutMs: 100 }]);
  expect(await callTool(source, "mcp__bad__echo", { text: "x" })).toMatchObject({ status: "failed" });
});

test("a server that dies in a call fails it, is not asked the same again, and is started for the next call", async () => {
  const { source } = await openServers([hostile("dies", join(newFolder(), "starts"))]);
  for (const text of ["first", "second"]) {
    const died = await callTool(source, "mcp__bad__echo", { text });
    expect(died).toMatchObject({ status: "failed", content: expect.stringContaining("exit code 7") });
  }
  const third = await callTool(source, "mcp__bad__echo", { text: "x" });
  expect(third).toMatchObject({ status: "ok", content: expect.stringContaining("start 3") });
});

test("a server that keeps dying is started four times, and then no more", async () => {
  const count = join(newFolder(), "starts");
  const { source } = await openServers([hostile("always-dies", count)]);
  for (let call = 0; call < 4; call += 1) await callTool(source, "mcp__bad__echo", { text: "x" });
  const last = await callTool(source, "mcp__bad__echo", { text: "x" });
  expect(last).toMatchObject({ status: "failed", content: expect.stringContaining("is not started again") });
  expect(readFileSync(count, "utf8")).toBe("xxxx");
});

test("answers to other calls, and second ones, change nothing", async () => {
  const { source } = await openServers([hostile("wrong-ids")]);
  for (const text of ["first", "second"]) {
    const result = await callTool(source, "mcp__bad__echo", { text });
    expect(result).toMatchObject({ status: "ok", content: expect.stringMatching(/\nmine$/) });
  }
});

test("tools with odd names, doubles and huge schemas are left out and named; long descriptions are cut and inert", async () => {
  const { source, notices } = await openServers([hostile("odd-tools")]);
  expect(namesOf(source)).toEqual(["mcp__bad__echo", "mcp__bad__long_words", "mcp__bad____proto__"]);
  expect(notices).toMatchObject([{ code: "mcp.left-out", text: expect.stringContaining("it is there twice") }]);
  const description = source.tools()[1]?.definition.description ?? "";
  expect(description.length).toBe(4000);
  expect(description).toMatch(/^orders w+$/);
});

test("a hint that a tool only reads grants nothing", async () => {
  const { source } = await openServers([honest]);
  const [tool] = source.tools();
  expect(tool?.effect).toBe("execute");
  expect(tool).not.toHaveProperty("probe");
});

test("a server sees of the environment nothing that is not configured", async () => {
  const place = { ...placeOf(process.execPath), args: [hostileServer], env: { MINE: "yes" } };
  const { source } = await openServers([scriptServer("bad", [], { place })]);
  const { content } = await callTool(source, "mcp__bad__echo", { text: "environment" });
  expect(content).toContain('"MINE":"yes"');
  expect(content).not.toContain('"HOME"');
});

test("a form that asks for a secret is declined, its user is not asked, and sees that it was", async () => {
  const { source } = await openServers([hostile("asks-secrets")]);
  const asked: unknown[] = [];
  const said: string[] = [];
  const ask = async (...question: unknown[]): Promise<UserReply> => {
    asked.push(question);
    return await Promise.resolve({ type: "answered", answers: [["hunter2"]] });
  };
  const onOutput = (_stream: string, text: string): void => void said.push(text);
  const { content } = await callTool(source, "mcp__bad__echo", { text: "x" }, { ask, onOutput });
  expect(content).toContain('got {"action":"decline"}');
  expect(asked).toEqual([]);
  expect(said.join("")).toContain("no user is asked for a secret (password)");
});

test("a tool that changes while it is used is gone, and subscribers are notified", async () => {
  const { source } = await openServers([hostile("changes")]);
  const [tool] = source.tools();
  const changed = new Promise<void>((done) => void source.subscribe(() => done()));
  await callTool(source, "mcp__bad__echo", { text: "x" });
  await changed;
  expect(namesOf(source)).toEqual([]);
  expect(tool?.definition.description).toBe("Says it again.");
});

test("a tool that says something else in a later session is left out, until the user takes it as it is", async () => {
  const folder = newFolder();
  const server = hostile("changed-later", join(folder, "starts"));
  expect((await openServers([server], folder)).notices).toEqual([]);
  const second = await openServers([server], folder);
  expect(namesOf(second.source)).toEqual([]);
  expect(second.notices).toMatchObject([{ code: "mcp.changed", text: expect.stringContaining("echo (description)") }]);
  expect(second.notices[0]?.text).toContain("capstan mcp approve bad");
  const pins = new DefinitionPins(join(folder, "pins"));
  const changed = pins.changed("bad");
  expect(changed?.tools).toMatchObject([
    { name: "echo", parts: [{ part: "description", before: "Says it again.", now: expect.any(String) }] },
  ]);
  expect(pins.approve("bad", "0".repeat(32))).toBe(false);
  expect(pins.approve("bad", changed?.digest ?? "")).toBe(true);
  expect(pins.changed("bad")).toBeNull();
});

test("over HTTP a redirect is refused, with where it leads", async () => {
  const server = createServer(
    (_request, response) => void response.writeHead(307, { location: "http://10.0.0.1/" }).end(),
  );
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const place = { type: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {}, wire: "http" } as const;
  const { notices } = await openServers([scriptServer("bad", [], { place })]);
  expect(notices).toMatchObject([{ code: "mcp.unavailable", text: expect.stringContaining("http://10.0.0.1/") }]);
});
