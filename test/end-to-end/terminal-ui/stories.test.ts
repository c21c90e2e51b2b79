import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";
import { startOnTerminal, type TerminalOptions, type TerminalRun } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;

const write = { name: "write_file", arguments: { path: "a.txt", content: "hello\nworld\n" } };

async function open(
  turns: readonly object[],
  args: readonly string[] = [],
  options: Partial<TerminalOptions> = {},
): Promise<TerminalRun> {
  const stage = await inbox.rehearse(turns);
  const words = ["tui", "-m", "anthropic/rehearsal", ...asking, ...args];
  const terminal = startOnTerminal(place, words, { rows: 40, ...options, env: { ...stage.env, ...options.env } });
  await terminal.screenShows(/^› /m);
  return terminal;
}

/** The last line of the screen is the status: nothing runs any more. */
async function atRest(terminal: TerminalRun, after: RegExp): Promise<void> {
  await terminal.screenShows(new RegExp(`${after.source}[^]*\\n— [^]*\\n› \\n`));
}

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
}

test("first task: the answer is painted as Markdown, an edit is approved by a digit, and a second question is asked likewise", async () => {
  const other = { name: "write_file", arguments: { path: "b.txt", content: "b\n" } };
  const terminal = await open([
    { text: "I will **write** it.\n\n- one\n- two\n", tool_calls: [write] },
    { tool_calls: [other] },
    { text: "All done." },
  ]);
  terminal.type("make a file\r");
  await terminal.screenShows(/I will write it\.\n\n• one\n• two[^]*▌ Create a\.txt[^]*▌ \+ hello[^]*▌ 1 once/);
  await terminal.screenShows(/a number answers/);
  expect(place.has("a.txt")).toBe(false);
  terminal.type("1");
  await terminal.screenShows(/✓ Create a\.txt[^]*▌ Create b\.txt[^]*a number answers/);
  expect(place.read("a.txt")).toBe("hello\nworld\n");
  terminal.type("1");
  await atRest(terminal, /✓ Create b\.txt[^]*approved once[^]*All done\./);
  await leave(terminal);
  const screen = (await terminal.screen()).join("\n");
  expect(screen).not.toContain("▌");
  expect(screen).toMatch(/— done · [^]*Continue with: capstan tui -r \S+$/);
});

slowTest(
  "words that are typed while a question opens answer nothing; it is denied with words, which the model reads",
  async () => {
    const terminal = await open([{ tool_calls: [write] }, { text: "As you say." }]);
    terminal.type("make a file\r");
    terminal.type("1 yes do it");
    await terminal.screenShows(/▌ Create a\.txt[^]*Tab: to the card[^]*› 1 yes do it/);
    terminal.type("\u0015");
    await terminal.screenShows(/a number answers/);
    terminal.type("5");
    await terminal.screenShows(/Why not/);
    terminal.type("not this file\r");
    await atRest(terminal, /denied, "not this file"[^]*As you say\./);
    expect(place.has("a.txt")).toBe(false);
    await leave(terminal);
  },
);

test("what is sent while a turn runs waits in line; Alt-Up takes it back, and Esc stops the turn without beginning the next", async () => {
  const terminal = await open([{ tool_calls: [count] }, { text: "Counted." }], ["--allow", "run_command(./count.sh)"]);
  inbox.writeScript("for i in $(seq 600); do [ -e gate ] && break; sleep 0.05; done");
  terminal.type("count\r");
  await terminal.screenShows(/▸ \.\/count\.sh/);
  terminal.type("the next words\r");
  await terminal.screenShows(/queued: the next words/);
  terminal.type("\u001b[1;3A");
  await terminal.screenShows(/› the next words/);
  terminal.type("\r");
  await terminal.screenShows(/queued: the next words/);
  terminal.type("\u001b");
  await terminal.screenShows(/✗ \.\/count\.sh[^]*— interrupted[^]*\n› the next words\n/);
  terminal.type("\u0003\u0004");
  expect(await terminal.ended).toBe(0);
});

slowTest(
  "commands: an unknown one names the nearest and stays; a mode is set; a user's own command runs; a turn is taken back",
  async () => {
    const terminal = await open([{ text: "One." }, { text: "Two." }]);
    terminal.type("/modee\r");
    await terminal.screenShows(/no command \/modee; nearest: \/mode/);
    terminal.type("\u0015/mode plan\r");
    await terminal.screenShows(/rehearsal · plan ·/);
    terminal.type("\u001b[Z");
    await terminal.screenShows(/rehearsal · default ·/);
    terminal.type("first words\r");
    await atRest(terminal, /One\./);
    terminal.type("!echo from me; exit 3\r");
    await terminal.screenShows(/✗ echo from me; exit 3 · exit 3[^]*from me/);
    expect(terminal.text()).not.toContain("\u001b[?1049h");
    terminal.type("/undo\r");
    await terminal.screenShows(/The conversation returns to the end of turn 1/);
    terminal.type("/rewind\r");
    await terminal.screenShows(/before turn 1: first words/);
    terminal.type("\r");
    await terminal.screenShows(/conversation only/);
    terminal.type("\r");
    await terminal.screenShows(/returns to the beginning[^]*› first words\n/);
    terminal.type("\u0015/help\r");
    await terminal.screenShows(/^Help$[^]*Enter +send/m);
    terminal.type("q");
    await terminal.screenShows(/› \n/);
    await leave(terminal);
  },
);

slowTest(
  "full screen and back: no row is lost, and at the end all of it stands in the terminal's own scrollback",
  async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `- item ${at}`).join("\n");
    const terminal = await open([{ text: lines }, { text: "Second answer." }], [], { rows: 20 });
    terminal.type("list\r");
    await atRest(terminal, /item 59/);
    terminal.type("/screen\r");
    await terminal.screenShows(/item 59[^]*› \n/);
    terminal.type("more\r");
    await terminal.screenShows(/Second answer\./);
    terminal.type("\u001b[5~\u001b[5~");
    await terminal.screenShows(/item 14\n[^]*item 29\n─/);
    terminal.type("/screen\r");
    await atRest(terminal, /Second answer\./);
    await leave(terminal);
    const screen = (await terminal.screen()).join("\n");
    for (const at of [0, 30, 59]) expect(screen.split(`• item ${at}\n`)).toHaveLength(2);
    expect(screen.split("Second answer.")).toHaveLength(2);
  },
);

slowTest(
  "the letters after Ctrl-X lead to lists, and Esc leaves them; a model is chosen among those that the keys reach",
  async () => {
    const terminal = await open([{ text: "One." }]);
    terminal.type("\u0018");
    await terminal.screenShows(/m model · l sessions · i inbox/);
    terminal.type("l");
    await terminal.screenShows(/There is no other session/);
    terminal.type("\u0018i");
    await terminal.screenShows(/Nothing waits for you/);
    terminal.type("/model\r");
    await terminal.screenShows(/Models that your keys reach · \d+ of \d+/);
    terminal.type("rehearsal");
    await terminal.screenShows(/filter: rehearsal/);
    terminal.type("\u001b");
    await terminal.screenShows(/› \n/);
    expect((await terminal.screen()).join("\n")).not.toContain("filter:");
    await leave(terminal);
  },
);
