import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";
import { besideShell, killBinary } from "../stage/beside-shell.ts";
import { messagesOf } from "../stage/read-request.ts";
import { startInTmux } from "../stage/tmux.ts";
import { startOnTerminal, type TerminalOptions, type TerminalRun } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;

const allowed = ["--allow", "run_command(./count.sh)"];
/** Within half a minute, so that none is left over by a test that fails. */
const untilOpen = "for i in $(seq 600); do [ -e gate ] && break; sleep 0.05; done";

type Env = Readonly<Record<string, string>>;

function start(env: Env, args: readonly string[], options: Partial<TerminalOptions> = {}): TerminalRun {
  return startOnTerminal(place, args, { rows: 30, ...options, env: { ...env, ...options.env } });
}

/** Whether any file of the data directory holds these words. */
function holds(words: string): boolean {
  const files = readdirSync(place.data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(words));
}

test("killed with words in the draft and a command running: the terminal is as before, the words are back, and the turn is carried on with once", async () => {
  inbox.writeScript(`${untilOpen}; echo run >> runs.log`);
  const stage = await place.rehearse("anthropic", [{ tool_calls: [count] }, { text: "Counted." }]);
  for (const round of [1, 2]) {
    const args = round === 1 ? ["-m", "anthropic/rehearsal"] : ["-c"];
    const terminal = start(stage.env, ["tui", ...asking, ...args, ...allowed], { script: besideShell });
    await terminal.screenShows(round === 1 ? /^› \n/m : /› not sent yet/);
    if (round === 1) {
      terminal.type("count\r");
      await terminal.screenShows(/▸ \.\/count\.sh/);
      terminal.type("not sent yet");
      await terminal.screenShows(/› not sent yet/);
      for (let turns = 0; !holds("not sent yet") && turns < 600; turns += 1) await pause(20);
    }
    killBinary(place);
    await terminal.screenShows(/SHELL IS BACK/);
    expect(await terminal.ended).toBe(0);
    expect(place.read("after")).toBe(place.read("before"));
    expect(terminal.text()).toContain("\u001b[?2004l\u001b[0m\u001b[?25h");
    // The screen that is shown is not left: what was said stays, and the shell is back where the draft stood.
    expect(terminal.text()).not.toContain("\u001b[?1049l");
    expect((await terminal.screen()).join("\n")).toMatch(/▸ \.\/count\.sh[^]*\n─+\n› not sent yet[^]*SHELL IS BACK$/);
  }
  place.write("gate", "");
  const last = start(stage.env, ["tui", ...asking, "-c", ...allowed]);
  await last.screenShows(
    /▌ An earlier process ended in the middle of this[^]*▸ \.\/count\.sh: it was running[^]*› not sent yet/,
  );
  last.type("r");
  await last.screenShows(/Tab: to the card[^]*› not sent yetr/);
  last.type("\u0015");
  await last.screenShows(/a number answers/);
  last.type("r");
  await last.screenShows(/▌ The process died while this ran[^]*1 run again[^]*a number answers/);
  last.type("1");
  await last.screenShows(/✓ \.\/count\.sh[^]*run again[^]*Counted\.[^]*— done/);
  last.type("\u0004");
  expect(await last.ended).toBe(0);
  expect(inbox.runs).toBe(1);
});

slowTest(
  "a session that another process runs is joined: its question is answered here, once, and both see it",
  async () => {
    inbox.writeScript("echo run >> runs.log");
    const stage = await place.rehearse("anthropic", [{ tool_calls: [count] }, { text: "Counted." }]);
    const running = await inbox.startWaiting(stage);
    const terminal = start(stage.env, ["tui", "-c"]);
    await terminal.screenShows(/▌ [^]*count\.sh[^]*a number answers/);
    terminal.type("1");
    await terminal.screenShows(/approved once[^]*Counted\.[^]*— done/);
    expect((await running.ended).code).toBe(0);
    expect(inbox.runs).toBe(1);
    terminal.type("\u0004");
    expect(await terminal.ended).toBe(0);
  },
);

slowTest("killed in tmux after another screen was shown: the shell is back where the draft stood", async () => {
  const stage = await place.rehearse("anthropic", [
    { text: Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("\n") },
  ]);
  const terminal = startInTmux(place, ["tui", "-m", "anthropic/rehearsal", ...asking], { env: stage.env, rows: 24 });
  await terminal.screenShows(/^› \n/m);
  // tmux remembers where the cursor stood here.
  terminal.type("\u000f");
  await terminal.screenShows(/q closes/);
  terminal.type("q");
  await terminal.screenShows(/^› \n/m);
  terminal.type("go\r");
  await terminal.screenShows(/line 29[^]*— done[^]*\n› \n/);
  terminal.type("words");
  await terminal.screenShows(/\n› words\n/);
  terminal.kill();
  await terminal.screenShows(/ended with 137/);
  expect((await terminal.screen()).join("\n")).toMatch(/line 29\n— done[^]*\n─+\n› words.*\n?[^]*ended with 137/);
});

test("what is typed before the first frame is sent when there is a session", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "Early bird." }]);
  const terminal = start(stage.env, ["tui", "-m", "anthropic/rehearsal"]);
  terminal.type("typed early\r");
  await terminal.screenShows(/› typed early\n\nEarly bird\.\n— done/);
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});

test("where nobody can sit, it refuses and names what to run", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "Nobody asked." }]);
  const dumb = start(stage.env, [], { term: "dumb" });
  expect(await dumb.ended).toBe(2);
  expect(dumb.text()).toMatch(/needs a terminal, and TERM is dumb[^]*Try: capstan run "…"/);
  const piped = await place.run(["tui"], { env: stage.env });
  expect(piped.code).toBe(2);
  expect(piped.stderr).toContain('Try: capstan run "…"');
});

slowTest("what is typed while another session opens is said in that one, each time", async () => {
  const stage = await inbox.rehearse([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
  const terminal = start(stage.env, ["tui", "-m", "anthropic/rehearsal"]);
  await terminal.screenShows(/^› \n/m);
  terminal.type("first\r");
  await terminal.screenShows(/One\.[^]*— done[^]*› \n/);
  terminal.type("/new\rsecond\r");
  await terminal.screenShows(/Two\.[^]*— done[^]*› \n/);
  terminal.type("/new\rthird\r");
  await terminal.screenShows(/Three\.[^]*— done[^]*› \n/);
  const said = stage.exchanges.map((exchange) => JSON.stringify(messagesOf(exchange)));
  const words = ["first", "second", "third"];
  expect(said.map((text) => words.filter((word) => text.includes(word)))).toEqual(words.map((word) => [word]));
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});

slowTest(
  "words typed while a session opens stand there, and none of those that were stored in it are lost",
  async () => {
    const stage = await inbox.rehearse([{ text: "One." }]);
    const first = start(stage.env, ["tui", "-m", "anthropic/rehearsal"]);
    await first.screenShows(/^› \n/m);
    first.type("begin\r");
    await first.screenShows(/One\.[^]*— done[^]*› \n/);
    first.type("not sent yet");
    for (let turns = 0; !holds("not sent yet") && turns < 600; turns += 1) await pause(20);
    first.kill();
    await first.ended;
    const second = start(stage.env, ["tui", "-c"]);
    second.type("typed early");
    await second.screenShows(/One\.[^]*\n› (?:not sent yet)?typed early\n/);
    // Whichever came first: the stored words stand before them, or are what was written last.
    if (!(await second.screen()).includes("› not sent yettyped early")) {
      second.type("\u0010");
      await second.screenShows(/\n› not sent yet\n/);
    }
    second.type("\u0015\u0004");
    expect(await second.ended).toBe(0);
  },
);

slowTest(
  "on a small screen every row fits, and after a storm of sizes the frame stands at the end and no line is lost",
  async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `- item ${at}`).join("\n");
    const stage = await place.rehearse("anthropic", [{ text: lines }, { text: "After the storm." }]);
    const terminal = start(stage.env, ["tui", "-m", "anthropic/rehearsal"], {
      columns: 40,
      rows: 10,
      env: { TERM_PROGRAM: "vscode" },
    });
    await terminal.screenShows(/^› /m);
    terminal.type("list\r");
    await terminal.screenShows(/item 29[^]*— done/);
    for (const columns of [60, 44, 100, 41, 80, 50, 120, 45]) {
      terminal.resize(columns, 10);
      await terminal.screenShows(new RegExp(`^─{${columns}}$`, "m"));
    }
    terminal.resize(60, 10);
    terminal.resize(60, 20);
    terminal.type("more\r");
    await terminal.screenShows(/After the storm\.\n— done[^\n]*\n─{60}\n› \n/);
    const screen = await terminal.screen();
    for (const at of Array.from({ length: 30 }, (_, number) => number))
      expect(screen.filter((line) => line === `• item ${at}`)).toHaveLength(1);
    terminal.type("\u0004");
    expect(await terminal.ended).toBe(0);
  },
);
