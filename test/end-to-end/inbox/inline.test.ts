import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { resultsOf } from "../stage/read-request.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";
import { asking, count, useInbox } from "./use-inbox.ts";

const inbox = useInbox();

function writing(path: string): object {
  return { name: "write_file", arguments: { path, content: `${path}\n` } };
}

function run(...argv: readonly string[]): object {
  return { tool_calls: [{ name: "run_command", arguments: { argv } }] };
}

/** The end of every question. */
const prompt = /v details > /;

async function start(
  turns: readonly object[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ terminal: TerminalRun; env: Readonly<Record<string, string>>; results: () => string }> {
  const stage = await inbox.rehearse(turns);
  const args = ["run", "-m", "anthropic/rehearsal", ...asking, "go"];
  const terminal = startOnTerminal(inbox.place, args, { env: { ...stage.env, ...env } });
  return { terminal, env: stage.env, results: () => resultsOf(stage.exchanges[1])[0]?.text ?? "" };
}

test("at a terminal the call is shown whole, and one key lets it run once", async () => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "counted" }]);
  await terminal.shows(/Run WITHOUT A SANDBOX: \.\/count\.sh/);
  await terminal.shows(prompt);
  expect(inbox.runs).toBe(0);
  terminal.type("1");
  expect(await terminal.ended).toBe(0);
  expect(inbox.runs).toBe(1);
  expect(terminal.text()).toContain("counted");
});

slowTest("what is no answer is asked again, and words with the no reach the model; no hint follows it", async () => {
  const { terminal, results } = await start([{ tool_calls: [count] }, { text: "I see" }]);
  await terminal.shows(prompt);
  terminal.type("x");
  await terminal.shows(/Nothing was answered/);
  await terminal.shows(prompt);
  terminal.type("v");
  await terminal.shows(/digest: [0-9a-f]{64}/);
  await terminal.shows(/7 always here: run_command/);
  await terminal.shows(prompt);
  terminal.type("n");
  await terminal.shows(/no words\)> /);
  terminal.type("use the other script\r");
  expect(await terminal.ended).toBe(3);
  expect([inbox.runs, results()]).toEqual([0, expect.stringContaining("use the other script")]);
  expect(terminal.text()).not.toMatch(/--allow|--permission-mode/);
});

slowTest("a kind of command is asked about once in a session, and the next kind again", async () => {
  inbox.place.write("Makefile", "build:\n\t@echo built\ntest:\n\t@echo tested\n");
  const { terminal } = await start([
    run("make", "build"),
    run("make", "build", "-s"),
    run("make", "test"),
    { text: "made" },
  ]);
  await terminal.shows(/2 `make build …`, this session/);
  await terminal.shows(prompt);
  terminal.type("2");
  await terminal.shows(/Run WITHOUT A SANDBOX: make test/);
  await terminal.shows(prompt);
  terminal.type("y");
  expect(await terminal.ended).toBe(0);
});

test("what was typed before it was painted is no answer", async () => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "no" }]);
  terminal.type("y1\ry\r");
  await terminal.shows(prompt);
  terminal.type("5");
  await terminal.shows(/no words\)> /);
  terminal.type("\r");
  expect(await terminal.ended).toBe(3);
  expect(inbox.runs).toBe(0);
});

slowTest.each([
  ["Escape", "\u001b"],
  ["later", "6"],
  ["the end of input", "\u0004"],
])(
  "%s is no answer: the run parks and says how to continue, which continues when it is answered",
  async (_name, key) => {
    const { terminal, env } = await start([{ tool_calls: [count] }, { text: "counted" }]);
    await terminal.shows(prompt);
    terminal.type(key);
    expect(await terminal.ended).toBe(7);
    expect(inbox.runs).toBe(0);
    expect(await inbox.pending()).toHaveLength(1);
    const [, id = ""] = /Answer and continue: capstan resume (\w{8})\s/.exec(terminal.text()) ?? [];
    const again = startOnTerminal(inbox.place, ["resume", id, ...asking], { env });
    await again.shows(prompt);
    again.type("1");
    expect(await again.ended).toBe(0);
    expect([inbox.runs, await inbox.pending()]).toEqual([1, []]);
  },
);

slowTest("Ctrl-Z at a question gives the shell its terminal, and fg the question again", async () => {
  const ask = { name: "ask_user", arguments: { questions: [{ question: "Which?" }] } };
  const stage = await inbox.rehearse([{ tool_calls: [count] }, { tool_calls: [ask] }, { text: "counted" }]);
  const args = ["run", "-m", "anthropic/rehearsal", ...asking, "go"];
  const script = 'set -m; "$@"; echo "first $?"; fg; echo "second $?"; fg; echo "ended $?"';
  const terminal = startOnTerminal(inbox.place, args, { env: stage.env, script });
  await terminal.shows(prompt);
  terminal.type("\u001a");
  await terminal.shows(/first 14\d/);
  await terminal.shows(prompt);
  terminal.type("1");
  await terminal.shows(/deny> /);
  terminal.type("half \u001a");
  await terminal.shows(/second 14\d/);
  await terminal.shows(/deny> half /);
  terminal.type("an answer\r");
  await terminal.shows(/ended 0/);
  expect([inbox.runs, resultsOf(stage.exchanges[2])[0]?.text]).toEqual([1, expect.stringContaining("half an answer")]);
});

slowTest("Ctrl-C stops the turn, and nothing runs", async () => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "no" }]);
  await terminal.shows(prompt);
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(130);
  expect([inbox.runs, await inbox.pending()]).toEqual([0, []]);
});

slowTest("an answer from elsewhere closes the prompt, and says who answered", async () => {
  const { terminal } = await start([{ tool_calls: [count] }, { text: "counted" }]);
  await terminal.shows(prompt);
  expect((await inbox.answer(await inbox.only(), "--approve")).code).toBe(0);
  await terminal.shows(/Answered: approve \(\w+, cli\)/);
  expect(await terminal.ended).toBe(0);
  expect(inbox.runs).toBe(1);
});

slowTest("a call that was changed in the user's editor is asked about again", async () => {
  const write = { name: "write_file", arguments: { path: "made.txt", content: "made" } };
  inbox.place.write("editor.sh", 'printf edited > "$1"');
  const editor = { EDITOR: `sh ${join(inbox.place.workspace, "editor.sh")}` };
  const { terminal } = await start([{ tool_calls: [write] }, { text: "done" }], editor);
  await terminal.shows(/Create made\.txt[^]*\+made/);
  await terminal.shows(prompt);
  terminal.type("4");
  await terminal.shows(/Create made\.txt[^]*\+edited/);
  await terminal.shows(prompt);
  terminal.type("1");
  expect(await terminal.ended).toBe(0);
  expect(inbox.place.read("made.txt")).toBe("edited");
});

slowTest(
  "calls of one step are one list: each can be left out, and what is left out is asked about again",
  async () => {
    const { terminal } = await start([{ tool_calls: [writing("a.txt"), writing("b.txt")] }, { text: "done" }]);
    await terminal.shows(/2 calls wait[^]*\[x\] Create a\.txt[^]*\[x\] Create b\.txt/);
    await terminal.shows(prompt);
    terminal.type("\u001b[B");
    await terminal.shows(prompt);
    terminal.type(" ");
    await terminal.shows(/\[ \] Create b\.txt/);
    await terminal.shows(prompt);
    terminal.type("1");
    await terminal.shows(/Create b\.txt \(\+1 −0\)|Create b\.txt/);
    await terminal.shows(prompt);
    terminal.type("n");
    await terminal.shows(/no words\)> /);
    terminal.type("\r");
    expect(await terminal.ended).toBe(3);
    expect([inbox.place.has("a.txt"), inbox.place.has("b.txt")]).toEqual([true, false]);
    const list = (await terminal.screen()).filter((line) => line.includes("2 calls wait"));
    expect(list).toHaveLength(1);
  },
);

slowTest("all changes in the workspace: one answer, and no change is asked about any more", async () => {
  const { terminal } = await start([
    { tool_calls: [writing("a.txt")] },
    { tool_calls: [writing("b.txt")] },
    { text: "done" },
  ]);
  await terminal.shows(/3 all changes here, this session/);
  await terminal.shows(prompt);
  terminal.type("3");
  expect(await terminal.ended).toBe(0);
  expect([inbox.place.has("a.txt"), inbox.place.has("b.txt")]).toEqual([true, true]);
  expect(terminal.text().match(/v details > /g)).toHaveLength(1);
});

test("an edit that cannot succeed is never asked about", async () => {
  inbox.place.write("a.txt", "one\n");
  const edit = { name: "edit_file", arguments: { path: "a.txt", old_string: "two", new_string: "three" } };
  const { terminal } = await start([
    { tool_calls: [{ name: "read_file", arguments: { path: "a.txt" } }] },
    { tool_calls: [edit] },
    { text: "it is not there" },
  ]);
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).not.toMatch(prompt);
  expect(terminal.text()).toContain("old_string does not occur");
});
