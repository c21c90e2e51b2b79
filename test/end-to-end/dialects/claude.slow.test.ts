import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";
import { ClaudeProgram, linesIn, part, sdkFlags } from "./claude-program.ts";

const place = usePlace();
const asking = "--permission-prompt-tool=stdio";

function writing(path: string, content = "x\n"): object {
  return { tool_calls: [{ name: "Write", arguments: { file_path: path, content } }] };
}

test("the tools of a server that lives in the program are called through it", async () => {
  const call = { tool_calls: [{ name: "mcp__calc__add", arguments: { a: 1, b: 2 } }] };
  const stage = await place.rehearse("anthropic", [call, { text: "three" }]);
  const program = new ClaudeProgram(place, stage, ["--allowedTools=mcp__calc__add"]);
  const initializing = program.request({ subtype: "initialize", sdkMcpServers: ["calc"] });
  await initializing;
  program.say("add");
  const tool = { name: "add", description: "adds", inputSchema: { type: "object", properties: { a: {}, b: {} } } };
  const replies: readonly object[] = [{}, {}, { tools: [tool] }, { content: [{ type: "text", text: "the sum is 3" }] }];
  for (const [at, result] of replies.entries()) {
    const asked = await program.asked("mcp_message", at + 1);
    program.answer(asked, {
      mcp_response: { jsonrpc: "2.0", id: part(part(asked["request"])["message"])["id"], result },
    });
  }
  expect(await program.result()).toMatchObject({ subtype: "success", result: "three" });
  expect(JSON.stringify(stage.exchanges[1])).toContain("the sum is 3");
  expect(await program.request({ subtype: "mcp_status" })).toMatchObject({
    response: { mcpServers: [{ name: "calc", status: "connected" }] },
  });
  await program.end();
});

test("a turn is interrupted, mode and model are changed, and what is not spoken is answered with an error at once", async () => {
  const stall = { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } };
  const stage = await place.rehearse("anthropic", [stall, { text: "after" }]);
  const program = new ClaudeProgram(place, stage, ["--include-partial-messages"]);
  program.say("go");
  await program.line(({ type }) => type === "stream_event");
  expect(await program.request({ subtype: "interrupt" })).toMatchObject({ subtype: "success" });
  expect(await program.result()).toMatchObject({ subtype: "error_during_execution", is_error: true });
  expect(await program.request({ subtype: "set_permission_mode", mode: "acceptEdits" })).toMatchObject({
    subtype: "success",
  });
  expect(await program.request({ subtype: "set_model", model: "anthropic/other" })).toMatchObject({
    subtype: "success",
  });
  program.say("again");
  expect(await program.line(({ subtype }) => subtype === "init", 2)).toMatchObject({
    permissionMode: "acceptEdits",
    model: "anthropic/other",
  });
  for (const request of [{ subtype: "end_the_world" }, { subtype: "set_permission_mode", mode: "bypassPermissions" }])
    expect(await program.request(request)).toMatchObject({ subtype: "error", error: expect.any(String) });
  expect(await program.request({ subtype: "get_context_usage" })).toMatchObject({
    response: { model: "anthropic/other" },
  });
  await program.end();
});

test("an interrupt that takes what waits along ends every message with a result", async () => {
  const stall = { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } };
  const stage = await place.rehearse("anthropic", [stall]);
  const program = new ClaudeProgram(place, stage, ["--include-partial-messages"]);
  for (const words of ["one", "two", "three"]) program.say(words);
  await program.line(({ type }) => type === "stream_event");
  await program.request({ subtype: "interrupt", cancel_queued: true });
  const results = linesIn((await program.end()).stdout).filter(({ type }) => type === "result");
  expect(results.map(({ is_error: isError }) => isError)).toEqual([true, true, true]);
});

test("an answer fits the schema that was asked for; limits end a turn under their own names", async () => {
  const turns = [{ text: "no JSON" }, { text: '{"ok":true}' }, writing("a.txt"), { text: "unused" }];
  const stage = await place.rehearse("anthropic", turns);
  const schema = new ClaudeProgram(place, stage, ['--json-schema={"type":"object","required":["ok"]}']);
  schema.say("json");
  expect(await schema.result()).toMatchObject({ subtype: "success", structured_output: { ok: true } });
  await schema.end();
  const limited = new ClaudeProgram(place, stage, ["--max-turns=1", "--permission-mode=acceptEdits", asking]);
  limited.say("write");
  expect(await limited.result()).toMatchObject({ subtype: "error_max_turns", is_error: true });
  await limited.end();
});

test("bypassing takes the user's own configuration, and nothing runs without it", async () => {
  const stage = await place.rehearse("anthropic", [writing("made.txt"), { text: "done" }]);
  const bypassing = new ClaudeProgram(place, stage, ["--permission-mode=bypassPermissions"]);
  expect(await bypassing.request({ subtype: "initialize" })).toMatchObject({ subtype: "error" });
  expect((await bypassing.end()).code).toBe(2);
  expect(stage.exchanges).toEqual([]);
  mkdirSync(place.data, { recursive: true });
  writeFileSync(`${place.data}/config.toml`, "[permissions]\nallow_bypass = true\n", { mode: 0o600 });
  const allowed = new ClaudeProgram(place, stage, ["--permission-mode=bypassPermissions"]);
  allowed.say("go");
  expect(await allowed.result()).toMatchObject({ subtype: "success" });
  await allowed.end();
  expect(place.has("made.txt")).toBe(true);
});

test("lines that cannot be read are answered, and the next one counts", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "fine" }]);
  const program = new ClaudeProgram(place, stage);
  program.running.write(`no json\n[1]\n${"[".repeat(5000)}\n${"x".repeat(33 * 1024 * 1024)}\n`);
  program.send({ type: "nonsense" }, { type: "user", message: { role: "user", content: 7 } });
  program.say("hello");
  expect(await program.result(1)).toMatchObject({ is_error: true });
  expect(await program.result(2)).toMatchObject({ result: "fine" });
  const run = await program.end();
  const errors = linesIn(run.stdout).filter(({ type }) => type === "control_response");
  expect(errors.map(({ response }) => part(response)["subtype"])).toEqual(Array.from({ length: 5 }, () => "error"));
});

test("killed while it asks, it asks again when the session is resumed, and the call happens once", async () => {
  const stage = await place.rehearse("anthropic", [writing("made.txt"), { text: "written" }, { text: "next" }]);
  const first = new ClaudeProgram(place, stage, [asking, "--session-id=kept"]);
  first.say("go");
  await first.asked("can_use_tool");
  first.running.kill("SIGKILL");
  await first.running.ended;
  const second = new ClaudeProgram(place, stage, [asking, "--resume=kept"]);
  second.say("continue");
  const asked = await second.asked("can_use_tool");
  second.answer(asked, { behavior: "allow", updatedInput: part(part(asked["request"])["input"]) });
  expect(await second.result()).toMatchObject({ result: "next" });
  const run = await second.end();
  expect(linesIn(run.stdout).filter(({ request }) => part(request)["subtype"] === "can_use_tool")).toHaveLength(1);
  expect(place.read("made.txt")).toBe("x\n");
  expect(stage.unused()).toBe(0);
});

test("a session that `run` joins has one answer per question: the other side's takes the question back", async () => {
  const stage = await place.rehearse("anthropic", [writing("made.txt"), { text: "written" }, { text: "for run" }]);
  const program = new ClaudeProgram(place, stage, [asking, "--session-id=shared"]);
  program.say("go");
  const asked = await program.asked("can_use_tool");
  const joined = stage.start(["--output-format", "stream-json", "--resume", "shared", "from run"]);
  await joined.stdoutMatches(/"turn-queued"/);
  const [waiting] = parseLines(await place.run(["interactions", "list", "--json"]));
  const id = String(waiting?.["id"]);
  expect((await place.run(["interactions", "answer", id, "--approve"])).code).toBe(0);
  await program.line(
    ({ type, request_id: which }) => type === "control_cancel_request" && which === asked["request_id"],
  );
  program.answer(asked, { behavior: "deny", message: "too late" });
  expect(await program.result()).toMatchObject({ subtype: "success", result: "written" });
  const run = await joined.ended;
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "for run" });
  const shown = await program.line((line) => JSON.stringify(line).includes("for run"));
  expect(shown).toMatchObject({ type: "assistant" });
  await program.end();
  expect(place.has("made.txt")).toBe(true);
});

test("a program that goes away leaves no process behind, and its turn can be resumed", async () => {
  const stall = { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } };
  const stage = await place.rehearse("anthropic", [stall]);
  const program = new ClaudeProgram(place, stage, ["--include-partial-messages", "--session-id=left"]);
  program.say("go");
  await program.line(({ type }) => type === "stream_event");
  program.running.closeStdout();
  program.send({ type: "control_request", request_id: "1", request: { subtype: "mcp_status" } });
  await program.running.ended;
  const run = await stage.run(["--output-format", "json", "--resume", "left"]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "word ".repeat(100) });
});

test("`embed --dialect claude` is the same, and a flag that means nothing is named", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "hello" }]);
  const message = JSON.stringify({ type: "user", message: { role: "user", content: "hi" } });
  const args = ["embed", "--dialect", "claude", ...sdkFlags, "--fancy"];
  const run = await place.run(args, { input: `${message}\n`, env: stage.env });
  expect(linesIn(run.stdout).at(-1)).toMatchObject({ type: "result", result: "hello" });
  expect(run.stderr).toContain("--fancy");
});
