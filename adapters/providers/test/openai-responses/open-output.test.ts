import { type AssistantBlock, type JsonObject, type JsonValue, toToolCallId } from "@capstan/protocol";
import { expect, test } from "vitest";
import { finishOf, joined } from "../fixtures/calls.ts";
import { checkContent, receive } from "../fixtures/receive-responses.ts";
import {
  added,
  callEvents,
  callItem,
  completed,
  created,
  delta,
  done,
  event,
  messageEvents,
  messageItem,
  reasoningEvents,
  reasoningItem,
  textPart,
} from "../fixtures/responses-streams.ts";

function call(id: string, name: string, value: JsonObject): AssistantBlock {
  return { type: "tool-call", callId: toToolCallId(id), name, arguments: { type: "json", value } };
}

function said(value: string): AssistantBlock {
  return { type: "text", text: value };
}

function kept(item: JsonObject): AssistantBlock {
  return { type: "provider-item", item };
}

function malformed(id: string, text: string, problem: string): AssistantBlock {
  return { type: "tool-call", callId: toToolCallId(id), name: "f", arguments: { type: "malformed", text, problem } };
}

test("the whole response at the end is the truth", async () => {
  const late = await checkContent(
    "deltas were lost at the end",
    [delta("output_text", 0, "Hel"), completed([messageItem("Hello")])],
    [said("Hello")],
  );
  expect(joined(late.parts).text).toBe("Hello");
  const all = await checkContent("all deltas were lost", [completed([messageItem("Hello")])], [said("Hello")]);
  expect(joined(all.parts).text).toBe("Hello");
  await checkContent(
    "deltas came twice",
    [delta("output_text", 0, "a"), delta("output_text", 0, "a"), completed([messageItem("a")])],
    [said("a")],
  );
  await checkContent(
    "the text of an item is the truth, too",
    [...messageEvents(0, ["x"]), done(0, messageItem("xy")), completed([])],
    [said("xy")],
  );
  await checkContent(
    "an item that is not in it was not said",
    [...messageEvents(0, ["a"]), ...callEvents(1, "c", "f", "{}"), completed([messageItem("a")])],
    [said("a")],
  );
  await checkContent(
    "an item that no event announced",
    [...messageEvents(0, ["a"]), completed([messageItem("a"), callItem("c", "f", '{"x":1}')])],
    [said("a"), call("c", "f", { x: 1 })],
    "tool-calls",
  );
  await checkContent(
    "an empty text there says nothing",
    [...messageEvents(0, ["a"]), completed([messageItem("")])],
    [said("a")],
  );
  await checkContent("no response at all", [...messageEvents(0, ["a"]), event("completed")], [said("a")]);
});

test("a part that is announced with text in it is shown, and said once", async () => {
  const announced = event("content_part.added", { output_index: 0, content_index: 0, part: textPart("Hel") });
  const { parts } = await checkContent(
    "deltas continue it",
    [added(0, messageItem("")), announced, delta("output_text", 0, "lo"), completed([])],
    [said("Hello")],
  );
  expect(joined(parts).text).toBe("Hello");
});

test("calls are put together however a server announces them", async () => {
  const expected = [call("call_a", "f", { x: 1 })];
  const item = callItem("call_a", "f", '{"x":1}');
  const begun = callItem("call_a", "f", "");
  const whole = event("function_call_arguments.done", { output_index: 0, item_id: "fc_call_a", arguments: '{"x":1}' });
  const end = completed([]);
  await checkContent("arguments only in done", [added(0, begun), whole, end], expected, "tool-calls");
  await checkContent("arguments only in the item", [added(0, begun), done(0, item), end], expected, "tool-calls");
  await checkContent("arguments only at the start", [added(0, item), end], expected, "tool-calls");
  await checkContent(
    "no start",
    [delta("function_call_arguments", 0, '{"x":'), done(0, item), end],
    expected,
    "tool-calls",
  );
  await checkContent("only the item", [done(0, item), end], expected, "tool-calls");
  await checkContent(
    "arguments as an object",
    [done(0, { ...item, arguments: { x: 1 } }), end],
    expected,
    "tool-calls",
  );
  await checkContent(
    "another id in every event",
    [
      added(0, { ...begun, id: "p" }),
      delta("function_call_arguments", 0, '{"x":1}', { item_id: "q" }),
      done(0, { ...item, id: "r" }),
      completed([{ ...item, id: "s" }]),
    ],
    expected,
    "tool-calls",
  );
  await checkContent(
    "no places, only ids",
    [
      event("output_item.added", { item: begun }),
      event("function_call_arguments.delta", { item_id: "fc_call_a", delta: '{"x":1}' }),
      end,
    ],
    expected,
    "tool-calls",
  );
  await checkContent(
    "out of order, interleaved",
    [
      added(1, callItem("call_b", "g", "")),
      added(0, begun),
      delta("function_call_arguments", 1, '{"y"'),
      delta("function_call_arguments", 0, '{"x":1}'),
      delta("function_call_arguments", 1, ":2}"),
      end,
    ],
    [...expected, call("call_b", "g", { y: 2 })],
    "tool-calls",
  );
  await checkContent(
    "no id at all",
    [done(0, { type: "function_call", name: "f", arguments: '{"x":1}' }), end],
    [call("call_1", "f", { x: 1 })],
    "tool-calls",
  );
  await checkContent(
    "none, and null",
    [...callEvents(0, "a", "f"), ...callEvents(1, "b", "f", "null"), end],
    [call("a", "f", {}), call("b", "f", {})],
    "tool-calls",
  );
});

test("arguments that are no JSON object, or were cut off, are kept and never executed", async () => {
  const end = completed([]);
  await checkContent(
    "broken",
    [...callEvents(0, "a", "f", '{"x":'), end],
    [malformed("a", '{"x":', expect.any(String))],
    "tool-calls",
  );
  await checkContent(
    "free text of a custom call",
    [
      added(0, { id: "ctc_1", type: "custom_tool_call", call_id: "a", name: "f", input: "" }),
      delta("custom_tool_call_input", 0, "*** Begin"),
      event("custom_tool_call_input.done", { output_index: 0, item_id: "ctc_1", input: "*** Begin Patch" }),
      end,
    ],
    [customCall("a", "f", "*** Begin Patch")],
    "tool-calls",
  );
  await checkContent(
    "a call the vendor calls incomplete",
    [done(0, callItem("a", "f", "{}", { status: "incomplete" })), end],
    [malformed("a", "{}", "the call was cut off before its end")],
    "tool-calls",
  );
});

test("reasoning is shown, and kept raw before what it led to", async () => {
  const whole: JsonObject = { ...reasoningItem("rs_1", "a", "b"), extra: { kept: [1] } };
  const received = await checkContent(
    "with everything",
    [
      ...reasoningEvents(0, "rs_1", ["a"], ["b"]),
      ...callEvents(1, "c", "f", "{}"),
      completed([whole, callItem("c", "f", "{}")]),
    ],
    [{ type: "thinking", text: "a\n\nb" }, kept(whole), call("c", "f", {})],
    "tool-calls",
  );
  expect(joined(received.parts).thinking).toBe("a\n\nb");
  await checkContent(
    "a response that leaves the proof out",
    [...reasoningEvents(0, "rs_1", ["a"]), completed([{ id: "rs_1", type: "reasoning", summary: [] }])],
    [
      { type: "thinking", text: "a" },
      kept({ id: "rs_1", type: "reasoning", summary: [], encrypted_content: "gAAA-rs_1" }),
    ],
  );
  const open = { id: "rs_2", type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "raw" }] };
  await checkContent(
    "thinking itself, of an open model",
    [
      added(0, { id: "rs_2", type: "reasoning", summary: [] }),
      event("content_part.added", { output_index: 0, content_index: 0, part: { type: "reasoning_text", text: "" } }),
      delta("reasoning_text", 0, "ra", { content_index: 0 }),
      delta("reasoning_text", 0, "w", { content_index: 0 }),
      event("reasoning_text.done", { output_index: 0, content_index: 0, text: "raw" }),
      done(0, open),
      completed([open]),
    ],
    [{ type: "thinking", text: "raw" }, kept(open)],
  );
});

test("the vendor's own tools are kept whole, known or not, and never fatal", async () => {
  const items: readonly JsonObject[] = [
    { id: "ci_1", type: "code_interpreter_call", code: "1", outputs: null, status: "completed", container_id: "k" },
    { id: "ig_1", type: "image_generation_call", result: "aGk=", status: "completed" },
    { id: "mcp_1", type: "mcp_call", name: "n", arguments: "{}", server_label: "s", output: "o" },
    { id: "new_1", type: "telepathy_call", thought: { deep: [true] } },
  ];
  const progress = [
    event("code_interpreter_call_code.delta", { output_index: 0, item_id: "ci_1", delta: "1" }),
    event("image_generation_call.partial_image", { output_index: 1, item_id: "ig_1", partial_image_b64: "aGk=" }),
    event("mcp_call_arguments.delta", { output_index: 2, item_id: "mcp_1", delta: "{}" }),
    event("mcp_list_tools.completed", { output_index: 9, item_id: "mcpl_1" }),
    event("telepathy_call.progress", { output_index: 3, item_id: "new_1" }),
  ];
  const expected = items.map(kept);
  const received = await checkContent(
    "all",
    [...items.map((item, at) => added(at, item)), ...progress, completed(items)],
    expected,
  );
  expect(received.parts.length).toBe(1);
});

test("halves of a character in neighbouring deltas are one character", async () => {
  const pieces = [delta("output_text", 0, "\ud83d"), delta("output_text", 0, "\ude00")];
  const received = await checkContent(
    "cut pair",
    [...pieces, completed([messageItem("😀")])],
    [{ type: "text", text: "😀" }],
  );
  expect(joined(received.parts).text).toBe("😀");
  await checkContent("only half", [pieces[0] ?? "", completed([])], [{ type: "text", text: "\ufffd" }]);
});

test("what nests too deeply is shown as unknown and not kept", async () => {
  let deep: JsonValue = 1;
  for (let level = 0; level < 300; level += 1) deep = [deep];
  const item: JsonObject = { id: "x", type: "web_search_call", action: deep };
  const received = await receive(
    created,
    done(0, item),
    completed([item, { ...messageItem(""), content: [textPart("a", [deep])] }]),
  );
  expect(finishOf(received).message.content).toEqual([{ type: "text", text: "a" }]);
  expect(received.parts.some((part) => part.type === "unknown" && part.what === "web_search_call")).toBe(true);
});

test("the events of the vendor's own tools say nothing that their items do not", async () => {
  const shell = { id: "sh_1", type: "shell_call", call_id: "s", action: { commands: ["uname"] } };
  const patch = { id: "ap_1", type: "apply_patch_call", call_id: "p", operation: { type: "delete_file", path: "a" } };
  const received = await checkContent(
    "no event of theirs is unknown",
    [
      added(0, { ...shell, action: { commands: [] } }),
      event("shell_call_command.added", { command: "", command_index: 0, output_index: 0 }),
      event("shell_call_command.delta", { command_index: 0, delta: "uname", output_index: 0 }),
      event("shell_call_command.done", { command: "uname", command_index: 0, output_index: 0 }),
      done(0, shell),
      added(1, patch),
      event("apply_patch_call_operation_diff.delta", { item_id: "ap_1", output_index: 1, delta: "+" }),
      done(1, patch),
      completed([shell, patch]),
    ],
    [kept(shell), kept(patch)],
  );
  expect(received.parts.map((part) => part.type)).toEqual(["finish"]);
});

test("a call keeps the vendor's marks, whichever event brings them", async () => {
  const caller = { type: "program", caller_id: "p" };
  const item = callItem("c", "f", "{}", { namespace: "files", caller, status: "in_progress" });
  const signature = JSON.stringify({ namespace: "files", caller });
  const marked = { ...call("c", "f", {}), signature };
  await checkContent(
    "with the item",
    [added(0, { ...item, arguments: "" }), done(0, item), completed([])],
    [marked],
    "tool-calls",
  );
  const direct = callItem("c", "f", "{}", { caller: { type: "direct" } });
  await checkContent(
    "a call of the model's own",
    [done(0, direct), completed([direct])],
    [call("c", "f", {})],
    "tool-calls",
  );
});

/** A call of a custom tool: its text is the call's input. */
function customCall(callId: string, name: string, input: string): AssistantBlock {
  return {
    type: "tool-call",
    callId: toToolCallId(callId),
    name,
    arguments: { type: "json", value: { input } },
    freeform: true,
  };
}
