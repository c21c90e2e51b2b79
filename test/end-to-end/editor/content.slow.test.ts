import { expect, test } from "vitest";
import type * as acp from "@agentclientprotocol/sdk";
import { usePlace } from "../stage/place.ts";
import { type Editor, openEditor } from "./use-editor.ts";

const place = usePlace();
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function send(editor: Editor, sessionId: string, prompt: acp.ContentBlock[]): Promise<acp.PromptResponse> {
  return editor.context.request<acp.PromptResponse, acp.PromptRequest>("session/prompt", { sessionId, prompt });
}

test("images and texts that an editor sends are attached, a link names its file, and loading tells them again", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "I see." }]);
  const editor = await openEditor(place, stage);
  const sessionId = await editor.newSession();
  await send(editor, sessionId, [
    { type: "text", text: "Look at " },
    { type: "resource_link", name: "note.txt", uri: `file://${place.workspace}/note.txt` },
    { type: "image", mimeType: "image/png", data: pixel },
    { type: "resource", resource: { uri: `file://${place.workspace}/a.txt`, text: "unsaved words\n" } },
  ]);
  const body = JSON.stringify(stage.exchanges.at(-1)?.body);
  expect(body).toContain(`Look at ${place.workspace}/note.txt`);
  expect(body).toContain(pixel);
  expect(body).toContain("unsaved words");
  await editor.load(sessionId);
  expect(editor.shown("user_message_chunk").map(({ content }) => content)).toMatchObject([
    { type: "text", text: `Look at ${place.workspace}/note.txt` },
    { type: "image", data: pixel },
    { type: "resource", resource: { uri: `file://${place.workspace}/a.txt`, text: "unsaved words\n" } },
  ]);
});

test("what is not taken is refused with the part that it is, and the session lives on", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "Hello." }]);
  const editor = await openEditor(place, stage);
  const sessionId = await editor.newSession();
  const audio = send(editor, sessionId, [{ type: "audio", mimeType: "audio/wav", data: "AAAA" }]);
  await expect(audio).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("prompt[0]: audio") });
  const broken = send(editor, sessionId, [{ type: "image", mimeType: "image/png", data: "no base64!" }]);
  await expect(broken).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("base64") });
  await expect(editor.prompt(sessionId, "/nonsense")).rejects.toMatchObject({ code: -32602 });
  expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
});

/** A server with one tool, which says what it was given. */
const server = `
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize")
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } });
  else if (method === "tools/list")
    say({ id, result: { tools: [{ name: "greet", description: "Greets", inputSchema: { type: "object" } }] } });
  else if (method === "tools/call")
    say({ id, result: { content: [{ type: "text", text: "greeted by " + process.env.GREETER }] } });
});
`;

test("a server that the editor passes works in that session, is named once, and asks before each call", async () => {
  place.write("server.mjs", server);
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [{ name: "mcp__every-thing__greet", arguments: {} }] },
    { text: "Greeted." },
    { text: "Nothing here." },
  ]);
  const editor = await openEditor(place, stage);
  const env = [{ name: "GREETER", value: "the editor" }];
  const passed = { name: "every thing", command: process.execPath, args: ["server.mjs"], env };
  const sessionId = await editor.newSession([passed]);
  await editor.until("the notice", () => editor.shown("notice").length > 0);
  expect(editor.shown("notice").filter(({ title }) => title.includes("every-thing"))).toHaveLength(1);
  expect(await editor.prompt(sessionId, "greet")).toBe("end_turn");
  expect(editor.permissions).toHaveLength(1);
  expect(JSON.stringify(editor.shown("tool_call_update"))).toContain("greeted by the editor");
  const without = await editor.newSession();
  await editor.prompt(without, "and here?");
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).not.toContain("mcp__every-thing");
});

test("a provider that fails is an error with our code, never a silent end, and a missing key is asked for", async () => {
  const stage = await place.rehearse("anthropic", [{ fault: { type: "http", status: 400 } }]);
  const editor = await openEditor(place, stage);
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "hello")).rejects.toMatchObject({
    code: -32603,
    data: { code: "provider.http" },
  });
  const keyless = await openEditor(place, { env: {} });
  await expect(keyless.newSession()).rejects.toMatchObject({ code: -32000, data: { code: "provider.auth" } });
});

test("standard output carries the protocol alone, whatever there is to say", async () => {
  place.write("AGENTS.md", "be brief\n");
  place.write(".capstan/config.toml", "nonsense = 1\n");
  const stage = await place.rehearse("anthropic", [{ text: "Hello." }]);
  const editor = await openEditor(place, stage, { args: ["--yolo"], env: { NODE_DEBUG: "timer", DEBUG: "*" } });
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "hello");
  await editor.end();
  const { lines, stderr } = await editor.process.ended;
  expect(lines.map((line) => JSON.parse(line)).filter((line) => line.jsonrpc !== "2.0")).toEqual([]);
  expect(stderr).toContain("--yolo");
  expect(editor.shown("notice").map(({ title }) => title)).toEqual(
    expect.arrayContaining([expect.stringContaining("trust")]),
  );
});
