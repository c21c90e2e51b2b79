import { expect, test } from "vitest";
import { resultsOf } from "../stage/read-request.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";
import { asking, count, useInbox } from "./use-inbox.ts";

const inbox = useInbox();

const prompt = /view all> /;

async function start(turns: readonly object[]): Promise<{ terminal: TerminalRun; results: () => string }> {
  const stage = await inbox.rehearse(turns);
  const args = ["run", "-m", "anthropic/rehearsal", ...asking, "go"];
  const terminal = startOnTerminal(inbox.place, args, { env: stage.env });
  return { terminal, results: () => resultsOf(stage.exchanges[1])[0]?.text ?? "" };
}

test("at a terminal the call is shown whole, and y lets it run once", async () => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "counted" }]);
  await terminal.shows(/NOT IN A SANDBOX/);
  await terminal.shows(prompt);
  expect(inbox.runs).toBe(0);
  terminal.type("y\r");
  expect(await terminal.ended).toBe(0);
  expect(inbox.runs).toBe(1);
  expect(terminal.text()).toContain("counted");
});

test("what is no answer is asked again, and words after n reach the model", async () => {
  const { terminal, results } = await start([{ tool_calls: [count] }, { text: "I see" }]);
  await terminal.shows(prompt);
  terminal.type("yes please\r");
  await terminal.shows(/Nothing was answered/);
  await terminal.shows(prompt);
  terminal.type("v\r");
  await terminal.shows(/"digest"/);
  await terminal.shows(prompt);
  terminal.type("n use the other script\r");
  expect(await terminal.ended).toBe(3);
  expect([inbox.runs, results()]).toEqual([0, expect.stringContaining("use the other script")]);
});

test("what was typed before it was asked is no answer", async () => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "no" }]);
  terminal.type("y\ry\r");
  await terminal.shows(prompt);
  terminal.type("n\r");
  expect(await terminal.ended).toBe(3);
  expect(inbox.runs).toBe(0);
});

test.each([
  ["Escape", "\u001b"],
  ["the end of input", "\u0004"],
])("%s is no answer: the run parks, and continues when it is answered", async (_name, key) => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "counted" }]);
  await terminal.shows(prompt);
  terminal.type(key);
  expect(await terminal.ended).toBe(7);
  expect(inbox.runs).toBe(0);
  expect(await inbox.pending()).toHaveLength(1);
});

test("Ctrl-C stops the turn, and nothing runs", async () => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "no" }]);
  await terminal.shows(prompt);
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(130);
  expect([inbox.runs, await inbox.pending()]).toEqual([0, []]);
});

test("an answer from elsewhere closes the prompt, and says who answered", async () => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "counted" }]);
  await terminal.shows(prompt);
  expect((await inbox.answer(await inbox.only(), "--approve")).code).toBe(0);
  await terminal.shows(/Answered: approve \(\w+, cli\)/);
  expect(await terminal.ended).toBe(0);
  expect(inbox.runs).toBe(1);
});

test("edited arguments are asked about again", async () => {
  const write = { name: "write_file", arguments: { path: "made.txt", content: "made" } };
  const { terminal } = await start([{ tool_calls: [write] }, { text: "done" }]);
  await terminal.shows(prompt);
  terminal.type("e\r");
  await terminal.shows(/arguments as JSON> /);
  terminal.type('{"path":"other.txt","content":"other"}\r');
  await terminal.shows(/May this run\? .*other\.txt/);
  await terminal.shows(prompt);
  terminal.type("y\r");
  expect(await terminal.ended).toBe(0);
  expect([inbox.place.has("made.txt"), inbox.place.read("other.txt")]).toEqual([false, "other"]);
});
