import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines } from "../stage/read-output.ts";
import { asked, connectClient, textOf } from "./use-client.ts";

const place = usePlace();

const write = { name: "write_file", arguments: { path: "note.txt", content: "hello\n" } };

test("a client begins a session, is handed its question, answers it, and continues in a second turn and a second process", async () => {
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [write] },
    { text: "written" },
    { text: "again" },
    { text: "from elsewhere" },
  ]);
  const first = await connectClient(place, stage, ["--role", "approve"]);
  const { tools } = await first.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "begin_session",
    "continue_session",
    "answer_session",
    "cancel_session",
    "inspect_session",
    "list_sessions",
  ]);
  const began = await first.call("begin_session", { prompt: "write a note", title: "notes" });
  expect(began.structuredContent).toMatchObject({
    state: "waiting",
    questions: [{ type: "approval", answers: ["approve", "deny", "edit"] }],
  });
  expect(textOf(began)).toContain("note.txt");
  expect(place.has("note.txt")).toBe(false);
  const { session, question } = asked(began);
  const refused = await first.call("continue_session", { session, prompt: "and now?" });
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toContain(question);
  const answer = { session, question, answer: "approve" };
  expect(await first.data("answer_session", answer)).toMatchObject({
    state: "ended",
    outcome: "done",
    text: "written",
  });
  expect(place.read("note.txt")).toBe("hello\n");
  const late = await first.call("answer_session", { ...answer, answer: "deny" });
  expect(late.isError).toBe(true);
  expect(textOf(late)).toContain("answered already");
  expect(await first.data("continue_session", { session: "notes", prompt: "more" })).toMatchObject({ text: "again" });
  await first.client.close();
  expect((await first.process.ended).code).toBe(0);

  const second = await connectClient(place, stage);
  // Unless its user said otherwise, a client answers nothing: who is asked is not who asks.
  const offered = (await second.client.listTools()).tools.map(({ name }) => name);
  expect(offered).not.toContain("answer_session");
  expect(offered).toContain("cancel_session");
  expect(await second.data("list_sessions")).toMatchObject({
    sessions: [{ id: session, title: "notes", turns: 2, lastOutcome: "done", questions: 0 }],
  });
  expect(await second.data("continue_session", { session, prompt: "go" })).toMatchObject({ text: "from elsewhere" });
  const seen = await second.data("inspect_session", { session, limit: 2 });
  expect(seen).toMatchObject({ activity: "idle", turns: 3, messages: [{ role: "user" }, { text: "from elsewhere" }] });
  await second.client.close();
});

slowTest(
  "a client that may not answer hands the question to its user, who answers elsewhere, and the turn continues",
  async () => {
    const stage = await place.rehearse("anthropic", [{ tool_calls: [write] }, { text: "written" }, { text: "again" }]);
    const { client, call, data } = await connectClient(place, stage);
    expect(client.getInstructions()).toContain("capstan answer ID");
    const began = await call("begin_session", { prompt: "write a note", title: "notes" });
    const { session, question } = asked(began);
    const refused = await call("answer_session", { session, question, answer: "approve" });
    expect(textOf(refused)).toContain('there is no tool "answer_session"');
    expect(await place.run(["answer", question, "--approve"], { env: stage.env })).toMatchObject({ code: 0 });
    // It waits for the turn that the answer has continued.
    expect(await data("continue_session", { session, prompt: "more" })).toMatchObject({ text: "again" });
    expect(place.read("note.txt")).toBe("hello\n");
    await client.close();
  },
);

const sleep = { name: "run_command", arguments: { command: "sleep 600" } };

/** Resolves with the first line of progress that says so. */
function progressSaying(words: string): {
  readonly came: Promise<void>;
  onprogress(progress: { message?: string | undefined }): void;
} {
  const found = new AbortController();
  const came = new Promise<void>((resolve) => {
    found.signal.addEventListener("abort", () => resolve());
  });
  return { came, onprogress: ({ message = "" }) => (message.includes(words) ? found.abort() : undefined) };
}

slowTest("a client that gives a call up stops its turn, and the session takes the next one", async () => {
  const stage = await place.rehearse("anthropic", [{ tool_calls: [sleep] }, { text: "here" }]);
  const { client, call, data } = await connectClient(place, stage);
  const running = progressSaying("sleep 600");
  const giving = new AbortController();
  const lost = call("begin_session", { prompt: "go", title: "long" }, { ...running, signal: giving.signal });
  await running.came;
  giving.abort();
  await expect(lost).rejects.toThrow("aborted");
  expect(await data("continue_session", { session: "long", prompt: "again" })).toMatchObject({ text: "here" });
  const events = parseLines(await place.run(["sessions", "export", "long"])).map((line) => JSON.stringify(line));
  expect(events.some((line) => line.includes('"outcome":"interrupted"'))).toBe(true);
  await client.close();
});

test("what a client gets wrong is said by field, and what its role does not hold is not offered", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  const { client, call } = await connectClient(place, stage, ["--role", "watch"]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["inspect_session", "list_sessions"]);
  const began = await call("begin_session", { prompt: "go" });
  expect({ isError: began.isError, text: textOf(began) }).toEqual({
    isError: true,
    text: 'there is no tool "begin_session"; tools/list names them',
  });
  expect(textOf(await call("list_sessions", { limit: "all" }))).toMatch(/^list_sessions: limit: /);
  expect(textOf(await call("inspect_session", { session: "nothing" }))).toContain("nothing");
  await client.close();
  expect(await place.run(["mcp", "serve", "--role", "king"])).toMatchObject({ code: 2 });
});

slowTest(
  "lines that are no messages are answered as such, also one without an end, and the connection lives on",
  async () => {
    const running = place.start(["mcp", "serve"], { holdInput: true });
    running.write("not json\n");
    await running.stdoutMatches(/"code":-32700/);
    running.write('{"jsonrpc":"1.0"}\n');
    await running.stdoutMatches(/"code":-32600/);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    running.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    await running.stdoutMatches(/"serverInfo":\{"name":"capstan"/);
    running.endInput();
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
  },
);
