import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { asking, count, useInbox } from "../../inbox/use-inbox.ts";
import { startOnTerminal, type TerminalRun } from "../../stage/terminal.ts";
import { answered } from "./spoken-numbers.ts";

const inbox = useInbox();
const { place } = inbox;

const write = { name: "write_file", arguments: { path: "a.txt", content: "hello\nworld\n" } };

async function open(turns: readonly object[], args: readonly string[] = ["--screen-reader"]): Promise<TerminalRun> {
  const stage = await inbox.rehearse(turns);
  const words = ["tui", "-m", "anthropic/rehearsal", ...asking, ...args];
  const terminal = startOnTerminal(place, words, { rows: 60, env: stage.env });
  await terminal.shows(/Write and press Enter/);
  return terminal;
}

/** Nothing was written but whole lines: no sequence moves, colours or erases anything. */
async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
  expect(terminal.text()).not.toContain("\u001b");
  expect(terminal.text().replaceAll("\r\n", "")).not.toContain("\r");
}

test("for a screen reader only lines are appended: answers, calls and their ends behind a word, questions by number, twice", async () => {
  const terminal = await open([
    { text: "I will **write** it.\n\n- one\n- two\n", tool_calls: [write] },
    { tool_calls: [count] },
    { text: "All done." },
    { text: "Again." },
  ]);
  terminal.type("make a file\r");
  await terminal.shows(/Answer: I will write it\.\r\none\r\ntwo\r\n/);
  await terminal.shows(/Waits for you:\r\nCreate a\.txt[^]*\+ ?hello[^]*1: once[^]*5: no[^]*Type a number and Enter/);
  expect(place.has("a.txt")).toBe(false);
  // A number before the question could be read would be none; this one is asked to be written again.
  terminal.type("0\r");
  await terminal.shows(/Waits for you:|Write the number again/);
  await answered(terminal, "1", /Done: Create a\.txt/);
  expect(place.read("a.txt")).toBe("hello\nworld\n");
  await terminal.shows(
    /Changed: created a\.txt, 2 added, 0 removed[^]*Waits for you:\r\n[^]*count\.sh[^]*Type a number/,
  );
  await answered(terminal, "5", /Your words, which may be none:/);
  terminal.type("not this one\r");
  await terminal.shows(
    /Answered: denied, "not this one": \.\/count\.sh\r\nAnswer: All done\.\r\nEnded: the turn is tool-denied/,
  );
  expect(inbox.runs).toBe(0);
  // The bell rings once for each.
  expect(terminal.text().split("\u0007Waits for you:")).toHaveLength(3);
  terminal.type("once more\r");
  await terminal.shows(/Answer: Again\.\r\nDone: the turn is done/);
  await leave(terminal);
});

test("words and numbers that were written before a question answer nothing, and Ctrl-C stops the turn, then leaves", async () => {
  const terminal = await open([{ tool_calls: [write] }, { text: "As you say." }]);
  terminal.type("make a file\ryes do it\r1\r");
  await terminal.shows(/Waits for you:[^]*Type a number/);
  terminal.type("yes\r");
  expect(place.has("a.txt")).toBe(false);
  terminal.type("\u0003");
  await terminal.shows(/Ended: the turn is interrupted/);
  expect(place.has("a.txt")).toBe(false);
  terminal.type("\u0003");
  await terminal.shows(/Ctrl-C again to quit/);
  terminal.type("\u0003");
  expect(await terminal.ended).toBe(0);
});

slowTest(
  "lists are read with numbers and narrowed by words; a backslash continues a line; the setting opens it, too",
  async () => {
    const terminal = await open([{ text: "Both lines." }], ["--set", "app.screen_reader=true"]);
    terminal.type("/mode\r");
    await terminal.shows(/Mode, 4 to choose from:\r\n1: /);
    terminal.type("plan\r");
    await terminal.shows(/Mode, 1 to choose from:\r\n1: plan/);
    terminal.type("1\r");
    await terminal.shows(/Note: plan: /);
    terminal.type("/modee\r");
    await terminal.shows(/no command \/modee; nearest: \/mode/);
    terminal.type("one \\\rtwo\r");
    await terminal.shows(/Answer: Both lines\./);
    expect(place.has("a.txt")).toBe(false);
    await leave(terminal);
  },
);
