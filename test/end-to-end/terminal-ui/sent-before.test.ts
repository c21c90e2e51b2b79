import { expect, test } from "vitest";
import { asking, useInbox } from "../inbox/use-inbox.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;

async function open(env: Readonly<Record<string, string>>): Promise<TerminalRun> {
  const words = ["tui", "-m", "anthropic/rehearsal", ...asking];
  const terminal = startOnTerminal(place, words, { rows: 30, env });
  await terminal.screenShows(/^› /m);
  return terminal;
}

test("what was sent in a folder is recalled by the next process there, in another session; a long paste is cut on the screen, and one token again", async () => {
  const { env } = await inbox.rehearse([{ text: "First answer." }, { text: "Second answer." }]);
  const first = await open(env);
  first.type("the first words\r");
  await first.screenShows(/First answer\.[^]*— done[^]*\n› \n/);
  const lines = Array.from({ length: 60 }, (_, at) => `pasted ${at}`);
  first.type(`\u001b[200~${lines.join("\n")}\u001b[201~`);
  await first.screenShows(/› \[Paste #1 60 lines\]/);
  first.type("\r");
  await first.screenShows(/pasted 19\n {2}… 40 more rows: Ctrl-O\n[^]*Second answer\.[^]*\n› \n/);
  first.type("\u0004");
  expect(await first.ended).toBe(0);

  const second = await open(env);
  second.type("not sent");
  await second.screenShows(/› not sent/);
  second.type("\u001b[A");
  await second.screenShows(/› \[Paste #1 60 lines\]/);
  second.type("\u001b[A");
  await second.screenShows(/› the first words/);
  second.type("\u001b[B\u001b[B");
  await second.screenShows(/› not sent/);
  second.type("\u0015\u0012");
  await second.screenShows(/What was sent before[^]*the first words/);
  second.type("first");
  await second.screenShows(/filter: first\n/);
  second.type("\r");
  await second.screenShows(/› the first words/);
  second.type("\u0015\u0004");
  expect(await second.ended).toBe(0);
});
