import { slowTest } from "@capstan/testkit";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;

const write = { name: "write_file", arguments: { path: "a.txt", content: "hello\n" } };

async function openVim(turns: readonly object[], args: readonly string[] = []): Promise<TerminalRun> {
  mkdirSync(place.data, { recursive: true });
  writeFileSync(join(place.data, "config.toml"), "[tui]\nvim = true\n");
  const stage = await inbox.rehearse(turns);
  const words = ["tui", "-m", "anthropic/rehearsal", ...asking, ...args];
  const terminal = startOnTerminal(place, words, { rows: 40, env: stage.env });
  await terminal.screenShows(/^› \n[^\n]*INSERT/m);
  return terminal;
}

async function pressed(terminal: TerminalRun, key: string, then: RegExp): Promise<void> {
  terminal.type(key);
  await terminal.screenShows(then);
}

test("a draft is edited with the keys of vim and sent, and a second one likewise; a digit still answers the card", async () => {
  const terminal = await openVim([{ tool_calls: [write] }, { text: "Done." }, { text: "Again." }]);
  await pressed(terminal, "make a big file", /› make a big file\nINSERT/);
  await pressed(terminal, "\u001b", /› make a big file\nNORMAL/);
  await pressed(terminal, "bdbA now", /› make a file now\nINSERT/);
  await pressed(terminal, "\u001b", /NORMAL/);
  await pressed(terminal, "\r", /▌ Create a\.txt[^]*a number answers[^]*› \nNORMAL/);
  await pressed(terminal, "1", /approved once[^]*Done\.[^]*\n› \nNORMAL/);
  expect(place.read("a.txt")).toBe("hello\n");
  await pressed(terminal, "ionce more", /› once more\nINSERT/);
  await pressed(terminal, "\u001b", /NORMAL/);
  await pressed(terminal, "0cwtwice", /› twice more\nINSERT/);
  await pressed(terminal, "\r", /Again\.[^]*\n› \nINSERT/);
  expect((await terminal.screen()).join("\n")).toMatch(/make a file now[^]*twice more/);
  await pressed(terminal, "\u001b", /NORMAL/);
  terminal.type("q");
  expect(await terminal.ended).toBe(0);
});

test("Esc that leaves insert mode does not stop the turn; the next one does", async () => {
  const terminal = await openVim(
    [{ tool_calls: [count] }, { text: "Counted." }],
    ["--allow", "run_command(./count.sh)"],
  );
  inbox.writeScript("for i in $(seq 600); do [ -e gate ] && break; sleep 0.05; done");
  await pressed(terminal, "count\r", /▸ \.\/count\.sh/);
  await pressed(terminal, "some words", /› some words\nINSERT/);
  await pressed(terminal, "\u001b", /› some words\nNORMAL[^\n]*count|› some words\nNORMAL/);
  expect((await terminal.screen()).join("\n")).toContain("▸ ./count.sh");
  await pressed(terminal, "\u001b", /— (stopped|cancelled|interrupted)[^]*› some words\nNORMAL/);
  terminal.type("\u0003\u0004");
  expect(await terminal.ended).toBe(0);
});

slowTest("/vim switches the keys off and on, and visual mode is named", async () => {
  const terminal = await openVim([{ text: "Unused." }]);
  await pressed(terminal, "/vim\r", /Keys of vim are off/);
  await pressed(terminal, "one two", /› one two\nanthropic/);
  await pressed(terminal, "\u0015/vim\r", /Keys of vim are on[^]*› \nINSERT/);
  await pressed(terminal, "one two", /› one two\nINSERT/);
  await pressed(terminal, "\u001b", /NORMAL/);
  await pressed(terminal, "viw", /› one two\nVISUAL/);
  await pressed(terminal, "d", /› one \nNORMAL/);
  await pressed(terminal, "u", /› one two\nNORMAL/);
  terminal.type("\u0003\u0004");
  expect(await terminal.ended).toBe(0);
});
