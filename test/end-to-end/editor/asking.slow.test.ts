import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { foldUpdates } from "../../../frontends/acp/test/updates/fold-updates.ts";
import { openEditor } from "./use-editor.ts";

const place = usePlace();
const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
const present = { name: "exit_plan_mode", arguments: { plan: "1. write made.txt" } };
const question = {
  name: "ask_user",
  arguments: {
    questions: [
      { question: "Which colour?", options: [{ label: "red" }, { label: "blue", description: "as the sea" }] },
      { question: "Which name?" },
    ],
  },
};
const oneQuestion = {
  name: "ask_user",
  arguments: { questions: [{ question: "Which?", options: [{ label: "red" }, { label: "blue" }] }] },
};

test("a plan is reviewed in the editor, and the prompt ends when it is carried out; so the second time, given up", async () => {
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [present] },
    { tool_calls: [write] },
    { text: "Carried out." },
    { tool_calls: [present] },
    { text: "As you like." },
  ]);
  const editor = await openEditor(place, stage, {
    reply: (_asked, number) => ({ option: number === 1 ? "proceed" : "cancel" }),
  });
  const sessionId = await editor.newSession();
  await editor.context.request("session/set_mode", { sessionId, modeId: "plan" });
  expect(await editor.prompt(sessionId, "plan it")).toBe("end_turn");
  expect(editor.permissions[0]).toMatchObject({
    toolCall: { content: [{ content: { text: expect.stringContaining("1. write made.txt") } }] },
    options: [{ optionId: "proceed" }, { optionId: "proceed-clean" }, { optionId: "adjust" }, { optionId: "cancel" }],
  });
  expect(place.read("made.txt")).toBe("made\n");
  expect(editor.shown("agent_message_chunk").at(-1)).toMatchObject({ content: { text: "Carried out." } });
  expect(editor.shown("current_mode_update").map(({ currentModeId }) => currentModeId)).toEqual([
    "plan",
    "accept-edits",
  ]);
  await editor.context.request("session/set_mode", { sessionId, modeId: "plan" });
  expect(await editor.prompt(sessionId, "plan more")).toBe("end_turn");
  expect(editor.permissions).toHaveLength(2);
});

test("questions of the model are a form where the editor has forms, and what it says reaches the model", async () => {
  const stage = await place.rehearse("anthropic", [{ tool_calls: [question] }, { text: "Blue it is." }]);
  const editor = await openEditor(place, stage, {
    capabilities: { elicitation: { form: {} } },
    fillForm: () => ({ action: "accept", content: { answer1: "blue", words2: "Ada" } }),
  });
  const sessionId = await editor.newSession();
  expect(await editor.prompt(sessionId, "ask me")).toBe("end_turn");
  expect(editor.forms).toMatchObject([
    {
      mode: "form",
      sessionId,
      requestedSchema: {
        properties: { answer1: { oneOf: [{ const: "red" }, { const: "blue" }] }, words2: { title: "Which name?" } },
      },
    },
  ]);
  const second = JSON.stringify(stage.exchanges.filter(({ method }) => method === "POST")[1]?.body);
  expect(second).toMatch(/blue.*Ada/s);
});

test("without forms a question has buttons, and words of one's own are the next message", async () => {
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [oneQuestion] },
    { text: "Red it is." },
    { tool_calls: [oneQuestion] },
    { text: "I wait." },
  ]);
  const editor = await openEditor(place, stage, {
    reply: (_asked, number) => ({ option: number === 1 ? "option-1" : "words" }),
  });
  const sessionId = await editor.newSession();
  expect(await editor.prompt(sessionId, "ask me")).toBe("end_turn");
  expect(editor.permissions[0]?.options.map(({ name }) => name)).toEqual([
    "red",
    "blue",
    "I answer in my next message",
  ]);
  expect(await editor.prompt(sessionId, "ask again")).toBe("end_turn");
  const bodies = stage.exchanges.filter(({ method }) => method === "POST").map(({ body }) => JSON.stringify(body));
  expect([bodies[1]?.includes("red"), bodies[3]?.includes("answers in words")]).toEqual([true, true]);
});

test("one session from an editor, a program and a second process: the same view, and one answer for each question", async () => {
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [write] },
    { text: "Written." },
    { text: "From the shell." },
  ]);
  const editor = await openEditor(place, stage, { reply: () => new Promise(() => undefined) });
  const sessionId = await editor.newSession();
  const prompted = editor.prompt(sessionId, "write it");
  await editor.until("the question", () => editor.permissions.length === 1);
  const program = place.start(["embed"], { env: stage.env, holdInput: true });
  program.write(`${JSON.stringify({ id: "1", op: "sessions.open", params: { sessionId } })}\n`);
  await program.stdoutMatches(/^\{"id":"1","ok":true/m);
  program.write(`${JSON.stringify({ id: "2", op: "attach", params: { sessionId, after: 0 } })}\n`);
  await program.stdoutMatches(/"event":"live"/);
  const answered = await place.run(["answer", "--approve"], { env: stage.env });
  expect(answered.code).toBe(0);
  expect(await prompted).toBe("end_turn");
  await editor.until("the cancelled request", () => editor.cancelledRequests.length === 1);
  expect(place.read("made.txt")).toBe("made\n");
  const joined = await place.run(["run", "--resume", sessionId, "and you?"], { env: stage.env });
  expect([joined.code, joined.stdout]).toEqual([0, "From the shell.\n"]);
  await editor.until("the words of the shell", () => editor.shown("user_message_chunk").length === 1);
  await editor.until("the answer", () => editor.shown("agent_message_chunk").length === 2);
  expect(editor.shown("user_message_chunk")).toMatchObject([{ content: { text: "and you?" } }]);
  await program.stdoutMatches(/From the shell\.[^]*"type":"turn-ended"/);
  program.endInput();
  const { stdout } = await program.ended;
  expect(stdout.match(/"type":"interaction-resolved"/g)).toHaveLength(1);
});

test("a denied call does not run, and the model is informed; so is one whose answer is none that was offered", async () => {
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [write] },
    { tool_calls: [write] },
    { text: "So be it." },
  ]);
  const editor = await openEditor(place, stage, {
    reply: (_asked, number) => (number === 1 ? "reject_once" : { option: "allow-everything" }),
  });
  const sessionId = await editor.newSession();
  expect(await editor.prompt(sessionId, "write it")).toBe("end_turn");
  expect(place.has("made.txt")).toBe(false);
  const { calls } = foldUpdates(editor.updates.map(({ update }) => update));
  expect(Object.values(calls)).toMatchObject([
    { status: "failed", rawOutput: { outcome: "denied" } },
    { status: "failed", rawOutput: { outcome: "denied" } },
  ]);
});

test("cancelled while it asks, the prompt ends cancelled, nothing has run, and the next prompt is as any other", async () => {
  const stage = await place.rehearse("anthropic", [{ tool_calls: [write] }, { text: "Hello." }]);
  const editor = await openEditor(place, stage, { reply: () => "cancelled" });
  const sessionId = await editor.newSession();
  expect(await editor.prompt(sessionId, "write it")).toBe("cancelled");
  expect(place.has("made.txt")).toBe(false);
  expect(await editor.prompt(sessionId, "hello")).toBe("end_turn");
  expect(stage.exchanges.filter(({ method }) => method === "POST")).toHaveLength(2);
});
