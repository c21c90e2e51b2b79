import { AppError, toInteractionId } from "@capstan/protocol";
import { memoryEngine } from "@capstan/testkit";
import { expect, test } from "vitest";
import { ClaudeProgram, part } from "./claude-program.ts";

test("messages are answered in order, each with one result, and the end of the input is the end", async () => {
  const program = new ClaudeProgram();
  program.say("count 3");
  program.say([{ type: "text", text: "count 2" }]);
  const lines = await program.end();
  expect(await program.served).toBeNull();
  expect(lines.flatMap(({ type, result }) => (type === "result" ? [result] : []))).toEqual(["1 2 3 ", "1 2 "]);
  // Pieces that the whole answer has superseded before they were read do not come: each kind once, in order.
  const pieces = lines.flatMap(({ event }) => (event === undefined ? [] : [part(event)["type"]]));
  const kinds = pieces.filter((type, at) => type !== pieces[at - 1]).slice(0, 6);
  expect(kinds).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
});

test("without partial messages answers come whole", async () => {
  const program = new ClaudeProgram({ partial: false });
  program.say("count 3");
  const lines = await program.end();
  expect(lines.map(({ type }) => type)).toEqual(["system", "assistant", "result"]);
});

test("a line that cannot be read is answered with an error, and the next one counts", async () => {
  const program = new ClaudeProgram();
  program.write(`no json\n[1]\n${"[".repeat(5000)}\n`);
  program.send({ type: "nonsense" });
  program.send({ type: "control_request", request: { subtype: "interrupt" } });
  for (const content of [7, [], "", [{ type: "audio" }]]) program.say(content);
  program.say("count 1");
  const lines = await program.end();
  const errors = lines.filter(({ response }) => part(response)["subtype"] === "error");
  expect(errors).toHaveLength(5);
  const results = lines.filter(({ type }) => type === "result");
  expect(results.map(({ is_error: isError }) => isError)).toEqual([true, true, true, true, false]);
});

test("a control request that is not spoken is answered with an error at once, also while a turn runs", async () => {
  const program = new ClaudeProgram();
  program.say("hold");
  await program.line(({ subtype }) => subtype === "init");
  for (const subtype of ["end_the_world", "hook_callback", "constructor", "mcp_set_servers"])
    expect(await program.request({ subtype })).toMatchObject({ subtype: "error", error: `unsupported: ${subtype}` });
  expect(await program.request({ subtype: "interrupt" })).toMatchObject({ subtype: "success" });
  expect(await program.result()).toMatchObject({ subtype: "error_during_execution", errors: ["interrupted"] });
  program.say("count 1");
  expect(await program.result(2)).toMatchObject({ subtype: "success" });
  await program.end();
});

test("the same message under the same id is not carried out twice, also by another process", async () => {
  const engine = memoryEngine();
  const uuid = "8f14e45f-ceea-4e1b-9c1c-000000000001";
  const first = new ClaudeProgram({}, engine);
  first.say("count 1", { uuid });
  expect(await first.result()).toMatchObject({ subtype: "success" });
  const [{ id } = { id: null }] = await engine.sessions.list();
  if (id === null) throw new Error("no session was begun");
  await first.end();
  const open: ConstructorParameters<typeof ClaudeProgram>[0] = {
    open: async () =>
      await Promise.resolve({ client: engine, target: { type: "resume", id }, close: () => Promise.resolve() }),
  };
  const second = new ClaudeProgram(open, engine);
  second.say("count 1", { uuid });
  expect(await second.result()).toMatchObject({ is_error: true, errors: [expect.stringContaining("sent before")] });
  await second.end();
});

test("what waits is asked for once; an answer from elsewhere takes the question back, and a late one changes nothing", async () => {
  const program = new ClaudeProgram();
  program.say("ask");
  const asked = await program.asked();
  expect(part(asked["request"])).toMatchObject({ tool_name: "act", title: expect.any(String), tool_use_id: "c1" });
  const [entry] = await program.engine.interactions.list();
  if (entry === undefined) throw new Error("nothing waits");
  const place = { sessionId: entry.sessionId, interactionId: toInteractionId(entry.interaction.id) };
  await program.engine.interactions.answer(place, { type: "deny" }, { frontend: "cli", role: "operate" });
  expect(await program.line(({ type }) => type === "control_cancel_request")).toMatchObject({
    request_id: asked["request_id"],
  });
  program.answer(asked, { behavior: "allow" });
  await program.result();
  const lines = await program.end();
  expect(lines.filter(({ request }) => part(request)["subtype"] === "can_use_tool")).toHaveLength(1);
});

test("a program that gives no sense for an answer has denied, and reads why", async () => {
  const program = new ClaudeProgram();
  program.say("ask");
  program.answer(await program.asked(), { behavior: "maybe" });
  await program.result();
  await program.end();
  expect(program.warnings).toEqual([expect.stringContaining("neither allow nor deny")]);
});

test("what waits when the input ends is left waiting, and its message ends all the same", async () => {
  const program = new ClaudeProgram();
  program.say("ask");
  await program.asked();
  const lines = await program.end();
  expect(lines.at(-1)).toMatchObject({ type: "result", is_error: true, errors: [expect.stringContaining("waits")] });
  expect(await program.engine.interactions.list()).toHaveLength(1);
});

test.each([
  ["all", "`hooks` must be an object"],
  [{ PreToolUse: "hook_0" }, "hooks.PreToolUse must be a list"],
  [{ PreToolUse: [{ matcher: "Bash" }] }, "an entry of hooks.PreToolUse has no `hookCallbackIds`"],
  [{ PreToolUse: [{ hookCallbackIds: [7] }] }, "an id of hooks.PreToolUse is no text"],
])("hooks that cannot be meant are refused in words, and nothing runs without them: %j", async (hooks, words) => {
  const program = new ClaudeProgram();
  expect(await program.request({ subtype: "initialize", hooks })).toMatchObject({
    subtype: "error",
    error: expect.stringContaining(words),
  });
  program.say("count 1");
  expect(await program.result()).toMatchObject({ is_error: true });
  await program.end();
  expect(await program.engine.sessions.list()).toEqual([]);
});

test("bypassing and modes that there are not are refused; others are set", async () => {
  const program = new ClaudeProgram();
  for (const mode of ["bypassPermissions", "dontAsk", "wild", 7])
    expect(await program.request({ subtype: "set_permission_mode", mode })).toMatchObject({ subtype: "error" });
  for (const mode of ["plan", "acceptEdits", "default"])
    expect(await program.request({ subtype: "set_permission_mode", mode })).toMatchObject({ response: { mode } });
  expect(await program.request({ subtype: "set_max_thinking_tokens", max_thinking_tokens: 5 })).toMatchObject({
    subtype: "error",
  });
  await program.end();
});

test("a session that cannot be opened ends each message with its reason, and the process knows it", async () => {
  const fault = new AppError("session.unknown", "there is no session x");
  const program = new ClaudeProgram({ open: async () => await Promise.reject(fault) });
  program.say("count 1");
  expect(await program.result()).toMatchObject({ is_error: true, errors: [expect.stringContaining("no session x")] });
  await program.end();
  expect(await program.served).toBe(fault);
});

test("a program that stops reading ends it, and its turn stays open", async () => {
  const program = new ClaudeProgram();
  program.say("hold");
  await program.line(({ subtype }) => subtype === "init");
  program.stopReading();
  await program.served;
  const [session] = await program.engine.sessions.list();
  expect(session?.lastOutcome).toBeUndefined();
});
