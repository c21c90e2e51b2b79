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

test("auto begins with what COLORFGBG says, and the console of Linux is not asked", async () => {
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
    await terminal.screenShows(/^tui\.theme = "auto"[^]*accepts: [^\n]*16[^]*default: "16"\n[^]*--set[^\n]*: "auto"/m);
    terminal.type("q");
    await terminal.screenShows(/^› \n/m);
  }
  terminal.type("/settings no such name\r");
  await terminal.screenShows(/No setting has no such name in its name/);
  expect((await terminal.screen()).join("\n")).not.toContain("filter:");
  await leave(terminal);
});

test("a theme that is named is not asked about, and an answer changes nothing", async () => {
  const terminal = await start("dark");
  await terminal.screenShows(/^› \n/m);
  terminal.type("\u001b]11;rgb:ffff/ffff/ffff\u001b\\x");
  await terminal.screenShows(/^› x\n/m);
  terminal.type("\u0015");
  await leave(terminal);
  expect(terminal.text()).not.toMatch(query);
  expect(terminal.text()).not.toMatch(onLight);
});
