/** What a session proposes, looked at and settled where people work. */
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { useInbox } from "../inbox/use-inbox.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";
import { answered } from "./screen-reader/spoken-numbers.ts";

const inbox = useInbox();
const { place } = inbox;

const find = { name: "search_tools", arguments: { query: "select:propose_changes" } };
const write = (path: string, content: string): object => ({ operation: "write", path, content });
const operations = [write("a.txt", "two\n"), write("b.txt", "b\n"), write("c.txt", "c\n")];
const set = { name: "propose_changes", arguments: { description: "tidy up", operations, mode: "incremental" } };
const turns = [{ tool_calls: [find, { name: "read_file", arguments: { path: "a.txt" } }] }, { tool_calls: [set] }];

async function open(args: readonly string[], then: readonly object[] = []): Promise<TerminalRun> {
  place.write("a.txt", "one\n");
  const stage = await inbox.rehearse([...turns, ...then]);
  return startOnTerminal(place, ["tui", "-m", "anthropic/rehearsal", ...args], { rows: 40, env: stage.env });
}

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
}

const putAway = /— proposed[^]*▌ 3 files proposed · Tab: to the card/;

test("proposed files wait on a card that takes no key unasked: those that are marked are made, one that somebody changed is named, twice", async () => {
  const terminal = await open([], [{ text: "As you say." }]);
  await terminal.screenShows(/^› /m);
  terminal.type("tidy up\r");
  await terminal.screenShows(putAway);
  // Somebody who types is not led anywhere: a number is a word.
  terminal.type("2");
  await terminal.screenShows(/^› 2/m);
  terminal.type("\u0003\t");
  await terminal.screenShows(/› \[x\] modified a\.txt \(\+1 −1\)[^]*- one\n[^]*\+ two\n[^]*a number answers/);
  terminal.type("\u001b[B ");
  await terminal.screenShows(/› \[ \] created b\.txt \(\+1 −0\)/);
  place.write("a.txt", "mine\n");
  terminal.type("1");
  await terminal.screenShows(/Applied what was proposed of: \S*c\.txt[^]*Left alone[^]*▌ 2 files proposed · Tab/);
  expect([place.read("a.txt"), place.has("b.txt"), place.read("c.txt")]).toEqual(["mine\n", false, "c\n"]);
  terminal.type("/proposals\r");
  await terminal.screenShows(/› \[x\] modified a\.txt \(\+1 −1\) · left alone[^]*! Left alone: [^]*a number answers/);
  terminal.type(" ");
  await terminal.screenShows(/› \[ \] modified a\.txt[^]* {2}\[ \] created b/);
  terminal.type("\u001b[B ");
  await terminal.screenShows(/› \[x\] created b\.txt/);
  terminal.type("1");
  await terminal.screenShows(/▌ 1 file proposed · Tab/);
  expect(place.read("b.txt")).toBe("b\n");
  await leave(terminal);
  // Another process asks the same.
  const again = startOnTerminal(place, ["tui", "-c"], { rows: 40, env: {} });
  await again.screenShows(/▌ 1 file proposed · Tab/);
  again.type("\t");
  await again.screenShows(/Proposed: modified a\.txt[^]*! Left alone: [^]*a number answers/);
  again.type("2");
  await again.screenShows(/Refused what was proposed of: \S*a\.txt/);
  again.type("/proposals\r");
  await again.screenShows(/Nothing is proposed\./);
  expect(place.read("a.txt")).toBe("mine\n");
  await leave(again);
});

slowTest(
  "for a screen reader proposed files are named, read when they are asked for, and marked by number",
  async () => {
    const terminal = await open(["--screen-reader"], [{ text: "One." }]);
    await terminal.shows(/Write and press Enter/);
    terminal.type("tidy up\r");
    await terminal.shows(/Proposed: changes of 3 files, none of them made; \/proposals reads them\./);
    terminal.type("1\r");
    await terminal.shows(/Answer: One\./);
    expect(place.has("b.txt")).toBe(false);
    terminal.type("/proposals\r");
    await terminal.shows(
      /Proposed: modified a\.txt[^]*\+two[^]*Proposed: created b\.txt[^]*1: apply[^]*4: leave out a\.txt[^]*6: leave out c\.txt/,
    );
    await answered(terminal, "4", /Marked: b\.txt, c\.txt\. 1 applies them, 2 refuses them\./);
    terminal.type("1\r");
    await terminal.shows(/Applied what was proposed of: [^]*Proposed: changes of 1 file, none/);
    expect([place.read("a.txt"), place.read("b.txt"), place.read("c.txt")]).toEqual(["one\n", "b\n", "c\n"]);
    await leave(terminal);
    expect(terminal.text()).not.toContain("\u001b");
  },
);
