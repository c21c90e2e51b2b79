import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { ClaudeProgram, linesIn, part } from "./claude-program.ts";

const place = usePlace();
const asking = "--permission-prompt-tool=stdio";

function writing(path: string, content = "x\n"): object {
  return { tool_calls: [{ name: "Write", arguments: { file_path: path, content } }] };
}

test("started as the SDK starts a program, it answers each message with Claude's lines and one result", async () => {
  const stage = await place.rehearse("anthropic", [
    { text: "hello", thinking: "hm" },
    { text: "and again" },
    { text: "later" },
  ]);
  const program = new ClaudeProgram(place, stage, ["--include-partial-messages"]);
  const initialized = await program.request({ subtype: "initialize" });
  const commands = expect.arrayContaining([expect.objectContaining({ name: "review", argumentHint: "[words]" })]);
  expect(initialized).toMatchObject({ subtype: "success", response: { models: expect.any(Array), commands } });
  program.say("first");
  program.say([{ type: "text", text: "second" }]);
  const run = await program.end();
  const lines = linesIn(run.stdout);
  const [init] = lines.filter(({ subtype }) => subtype === "init");
  expect(init).toMatchObject({ cwd: place.workspace, model: "anthropic/rehearsal", permissionMode: "default" });
  expect(init?.["tools"]).toEqual(expect.arrayContaining(["Bash", "Read", "Write", "Edit", "TodoWrite", "Task"]));
  const results = lines.filter(({ type }) => type === "result");
  expect(results).toMatchObject([
    { subtype: "success", result: "hello", num_turns: 1, session_id: init?.["session_id"] },
    { subtype: "success", result: "and again", usage: { output_tokens: expect.any(Number) } },
  ]);
  const answers = lines.filter(({ type }) => type === "assistant");
  expect(part(answers[0]?.["message"])).toMatchObject({
    role: "assistant",
    stop_reason: "end_turn",
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "hello" },
    ],
  });
  const events = lines.flatMap(({ type, event }) => (type === "stream_event" ? [part(event)["type"]] : []));
  expect(events.slice(0, 3)).toEqual(["message_start", "content_block_start", "content_block_delta"]);
  expect(events.filter((type) => type === "message_stop")).toHaveLength(2);
  expect(run.code).toBe(0);
  const next = new ClaudeProgram(place, stage, [`--resume=${String(init?.["session_id"])}`]);
  next.say("third");
  expect(await next.result()).toMatchObject({ result: "later", session_id: init?.["session_id"] });
  expect((await next.end()).code).toBe(0);
  expect(stage.exchanges.flatMap(({ problem }) => problem ?? [])).toEqual([]);
});

test("what needs a user is asked for: equal input is a yes, other input is judged again, and a no is read by the model", async () => {
  const stage = await place.rehearse("anthropic", [
    writing("yes.txt"),
    { text: "1" },
    writing("no.txt"),
    { text: "2" },
    writing("other.txt"),
    { text: "3" },
  ]);
  const program = new ClaudeProgram(place, stage, [asking]);
  const question = async (n: number): Promise<{ asked: Record<string, unknown>; input: Record<string, unknown> }> => {
    const asked = await program.asked("can_use_tool", n);
    return { asked, input: part(part(asked["request"])["input"]) };
  };
  program.say("one");
  const first = await question(1);
  expect(first.asked).toMatchObject({
    request: { tool_name: "Write", input: { file_path: "yes.txt", content: "x\n" }, tool_use_id: expect.any(String) },
  });
  program.answer(first.asked, { behavior: "allow", updatedInput: first.input });
  await program.result(1);
  program.say("two");
  program.answer((await question(2)).asked, { behavior: "deny", message: "not this one" });
  expect(await program.result(2)).toMatchObject({ permission_denials: [{ tool_name: "Write" }] });
  program.say("three");
  const third = await question(3);
  program.answer(third.asked, { behavior: "allow", updatedInput: { ...third.input, content: "changed\n" } });
  const again = await question(4);
  expect(again.input).toEqual({ file_path: "other.txt", content: "changed\n" });
  program.answer(again.asked, { behavior: "allow", updatedInput: again.input });
  await program.result(3);
  expect((await program.end()).code).toBe(0);
  expect([place.has("yes.txt"), place.has("no.txt"), place.read("other.txt")]).toEqual([true, false, "changed\n"]);
  expect(JSON.stringify(stage.exchanges[3])).toContain("not this one");
});

slowTest(
  "hooks of the program are asked by callback: what one refuses does not run, what one changes is another call, twice",
  async () => {
    const stage = await place.rehearse("anthropic", [
      writing("no.txt"),
      { text: "refused" },
      writing("yes.txt"),
      { text: "written" },
    ]);
    const program = new ClaudeProgram(place, stage, ["--permission-mode=acceptEdits"]);
    const hooks = { PreToolUse: [{ matcher: "Write", hookCallbackIds: ["hook_0"], timeout: 30 }] };
    expect(await program.request({ subtype: "initialize", hooks })).toMatchObject({ subtype: "success" });
    const decide = { hookEventName: "PreToolUse" };
    program.say("first");
    const first = await program.asked("hook_callback");
    const path = `${place.workspace}/no.txt`;
    expect(part(first["request"])).toMatchObject({
      callback_id: "hook_0",
      tool_use_id: expect.any(String),
      input: { hook_event_name: "PreToolUse", tool_name: "Write", tool_input: { file_path: path, content: "x\n" } },
    });
    const refusal = { ...decide, permissionDecision: "deny", permissionDecisionReason: "not that file" };
    program.answer(first, { hookSpecificOutput: refusal });
    expect(await program.result()).toMatchObject({ result: "refused" });
    program.say("second");
    const second = await program.asked("hook_callback", 2);
    const updatedInput = { file_path: `${place.workspace}/other.txt`, content: "y\n" };
    program.answer(second, { hookSpecificOutput: { ...decide, updatedInput } });
    expect(await program.result(2)).toMatchObject({ result: "written" });
    expect(["no.txt", "yes.txt", "other.txt"].map((name) => place.has(name))).toEqual([false, false, true]);
    expect(place.read("other.txt")).toBe("y\n");
    expect(JSON.stringify(stage.exchanges[1]?.body)).toContain("not that file");
    expect((await program.end()).code).toBe(0);
  },
);

slowTest(
  "a hook of the program for a moment that there is not keeps everything from running, and is named",
  async () => {
    const stage = await place.rehearse("anthropic", [{ text: "never" }]);
    const program = new ClaudeProgram(place, stage);
    const hooks = { PreToolUsed: [{ hookCallbackIds: ["hook_0"] }] };
    await program.request({ subtype: "initialize", hooks });
    program.say("go");
    expect(JSON.stringify(await program.result())).toContain('there is no event \\"PreToolUsed\\"');
    await program.end();
    expect(stage.exchanges).toEqual([]);
  },
);
