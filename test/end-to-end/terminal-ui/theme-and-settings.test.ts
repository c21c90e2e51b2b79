import { slowTest } from "@capstan/testkit";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";
import { usePlace } from "../stage/place.ts";

const place = usePlace();
const query = /\]11;\?.\\/;
/** The muted colours of the two themes. */
const [onDark, onLight] = [/38;2;154;154;154m/, /38;2;95;95;95m/];

async function start(theme: string, env: Readonly<Record<string, string>> = {}, term?: string): Promise<TerminalRun> {
  const stage = await place.rehearse("anthropic", [{ text: "One." }]);
  const args = ["tui", "-m", "anthropic/rehearsal", "--set", `tui.theme=${theme}`];
  return startOnTerminal(place, args, {
    rows: 30,
    env: { ...stage.env, ...env },
    ...(term === undefined ? {} : { term }),
  });
}

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
}

test("auto asks the terminal once, works where nothing answers, and follows each answer without a letter of it in the draft", async () => {
  const terminal = await start("auto");
  await terminal.shows(query);
  await terminal.shows(onDark);
  await terminal.screenShows(/^› \n/m);
  terminal.type("\u001b]11;rgb:ffff/ffff/ffff\u001b\\");
  await terminal.shows(onLight);
  terminal.type("\u001b]11;rgb:0000/0000/0000\u0007");
  await terminal.shows(onDark);
  await terminal.screenShows(/^› \n/m);
  await leave(terminal);
  expect(terminal.text().split("\u001b]11;?")).toHaveLength(2);
});

slowTest("auto begins with what COLORFGBG says, and the console of Linux is not asked", async () => {
  const light = await start("auto", { COLORFGBG: "0;15" });
  await light.shows(onLight);
  await leave(light);
  const console = await start("auto", {}, "linux");
  await console.screenShows(/^› \n/m);
  await leave(console);
  expect(console.text()).not.toMatch(query);
});

test("/settings finds a setting, and says what it accepts and which layers set it, each time", async () => {
  const terminal = await start("auto");
  await terminal.screenShows(/^› \n/m);
  for (const round of [1, 2]) {
    terminal.type(round === 1 ? "/settings\r" : "/settings theme\r");
    await terminal.screenShows(/Settings · /);
    terminal.type("tui.theme");
    await terminal.screenShows(/tui\.theme = "auto" {2}flag --set\n[^]*filter: tui\.theme/);
    terminal.type("\r");
    await terminal.screenShows(/what it does, and which layer set it/);
    terminal.type("\r");
    await terminal.screenShows(/^tui\.theme = "auto"[^]*accepts: [^\n]*16[^]*default: "16"\n[^]*--set[^\n]*: "auto"/m);
    terminal.type("q");
    await terminal.screenShows(/^› \n/m);
  }
  terminal.type("/settings no such name\r");
  await terminal.screenShows(/No setting has no such name in its name/);
  expect((await terminal.screen()).join("\n")).not.toContain("filter:");
  await leave(terminal);
});

test("/settings changes a value: shown before it is written, corrected where it does not fit, and taken out again", async () => {
  const file = join(place.data, "config.toml");
  mkdirSync(place.data, { mode: 0o700 });
  writeFileSync(file, "[tui]\n# mine\npaste_lines = 3 # few\n", { mode: 0o600 });
  const terminal = await start("dark");
  await terminal.screenShows(/^› \n/m);
  terminal.type("/settings paste_lines\r");
  await terminal.screenShows(/tui\.paste_lines = 3 {2}[^\n]*config\.toml:3 \(user\)/);
  terminal.type("\r");
  await terminal.screenShows(/write a value {2}an integer from 1 to 10000/);
  terminal.type("write a value\r");
  await terminal.screenShows(/value: 3\n/);
  terminal.type("\u007fmany\r");
  await terminal.screenShows(/expected an integer from 1 to 10000, found "many"[^]*value: many\n/);
  expect(readFileSync(file, "utf8")).toContain("= 3 # few");
  terminal.type("\u001512\r");
  await terminal.screenShows(/tui\.paste_lines: 3 → 12/);
  terminal.type("\r");
  await terminal.screenShows(/Set tui\.paste_lines = 12 in /);
  expect(readFileSync(file, "utf8")).toBe("[tui]\n# mine\npaste_lines = 12 # few\n");
  terminal.type("/settings paste_lines\r");
  await terminal.screenShows(/tui\.paste_lines = 3 /);
  terminal.type("\r");
  await terminal.screenShows(/take it out of config\.toml/);
  terminal.type("take it out\r");
  await terminal.screenShows(/tui\.paste_lines: 12 → what is below counts/);
  terminal.type("\r");
  await terminal.screenShows(/Took tui\.paste_lines out of /);
  expect(readFileSync(file, "utf8")).toBe("[tui]\n# mine\n");
  terminal.type("/settings tui.vim\r");
  await terminal.screenShows(/tui\.vim = false/);
  terminal.type("\r");
  await terminal.screenShows(/^ {2}true\n/m);
  terminal.type("true\r");
  await terminal.screenShows(/tui\.vim: false → true/);
  terminal.type("\r");
  await terminal.screenShows(/INSERT/);
  expect(readFileSync(file, "utf8")).toBe("[tui]\nvim = true\n# mine\n");
  await leave(terminal);
});

slowTest("a theme that is named is not asked about, and an answer changes nothing", async () => {
  const terminal = await start("dark");
  await terminal.screenShows(/^› \n/m);
  terminal.type("\u001b]11;rgb:ffff/ffff/ffff\u001b\\x");
  await terminal.screenShows(/^› x\n/m);
  terminal.type("\u0015");
  await leave(terminal);
  expect(terminal.text()).not.toMatch(query);
  expect(terminal.text()).not.toMatch(onLight);
});
