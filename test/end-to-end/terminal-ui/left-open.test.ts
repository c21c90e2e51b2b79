import { setTimeout as pause } from "node:timers/promises";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";
import { besideShell, killBinary } from "../stage/beside-shell.ts";
import { startOnTerminal, type TerminalOptions, type TerminalRun } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;

const allowed = ["--allow", "run_command(./count.sh)"];
/** Within half a minute, so that none is left over by a test that fails. */
const untilOpen = "for i in $(seq 600); do [ -e gate ] && break; sleep 0.05; done";
const card =
  /▌ An earlier process ended[^]*▌ {3}› count\n[^]*▸ \.\/count\.sh: it was running, and its end is not known[^]*a number answers/;

type Env = Readonly<Record<string, string>>;

function start(env: Env, args: readonly string[], options: Partial<TerminalOptions> = {}): TerminalRun {
  return startOnTerminal(place, ["tui", ...asking, ...args, ...allowed], { rows: 30, ...options, env });
}

async function killed(terminal: TerminalRun): Promise<void> {
  killBinary(place);
  await terminal.screenShows(/SHELL IS BACK/);
  expect(await terminal.ended).toBe(0);
}

function timesBegun(): number {
  return place.has("begun.log") ? place.read("begun.log").split("\n").length - 1 : 0;
}

/** The command itself has begun for this time, so that a crash leaves its end in doubt. */
async function begun(times: number): Promise<void> {
  for (let turns = 0; timesBegun() < times && turns < 600; turns += 1) await pause(20);
  expect(timesBegun()).toBe(times);
}

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
}

/** A command runs, and the process is killed. */
async function killedWhileRunning(turns: readonly object[]): Promise<Env> {
  inbox.writeScript(`echo begun >> begun.log; ${untilOpen}; echo run >> runs.log`);
  const { env } = await place.rehearse("anthropic", [{ tool_calls: [count] }, ...turns]);
  const terminal = start(env, ["-m", "anthropic/rehearsal"], { script: besideShell });
  await terminal.screenShows(/^› \n/m);
  terminal.type("count\r");
  await begun(1);
  await terminal.screenShows(/▸ \.\/count\.sh/);
  await killed(terminal);
  return env;
}

test("after a crash a card says what was running; R carries on, and killed once more the same card leads to the same choices", async () => {
  const env = await killedWhileRunning([{ text: "Counted." }]);
  const again = start(env, ["-c"], { script: besideShell });
  await again.screenShows(card);
  again.type("r");
  await again.screenShows(/▌ The process died while this ran[^]*1 run again[^]*3 undo its changes[^]*a number answers/);
  again.type("1");
  await again.screenShows(/▸ \.\/count\.sh · [^]*run again: \.\/count\.sh[^]*› \n/);
  await begun(2);
  await killed(again);
  place.write("gate", "");
  const last = start(env, ["-c"]);
  await last.screenShows(card);
  last.type("1");
  await last.screenShows(/▌ The process died while this ran[^]*a number answers/);
  last.type("r");
  await last.screenShows(/✓ \.\/count\.sh[^]*Counted\.[^]*— done/);
  await leave(last);
  expect(inbox.runs).toBe(1);
});

slowTest(
  "D ends what was left open: nothing runs again, and the next words are answered, also in another process",
  async () => {
    const env = await killedWhileRunning([{ text: "Something else." }, { text: "And more." }]);
    place.write("gate", "");
    const terminal = start(env, ["-c"]);
    await terminal.screenShows(card);
    terminal.type("d");
    await terminal.screenShows(/— interrupted/);
    terminal.type("something else\r");
    await terminal.screenShows(/Something else\.\n— done/);
    await leave(terminal);
    const next = start(env, ["-c"]);
    await next.screenShows(/Something else\.\n— done[^]*› \n/);
    next.type("more\r");
    await next.screenShows(/And more\.\n— done/);
    expect((await next.screen()).join("\n")).not.toContain("An earlier process ended");
    await leave(next);
    expect(inbox.runs).toBe(0);
  },
);

slowTest("Esc leaves it open: it waits for the next time, and Tab returns to it", async () => {
  const env = await killedWhileRunning([{ text: "Counted." }]);
  place.write("gate", "");
  const terminal = start(env, ["-c"]);
  await terminal.screenShows(card);
  terminal.type("\u001b");
  await terminal.screenShows(/It waits\. Tab returns to it/);
  await leave(terminal);
  const next = start(env, ["-c"]);
  await next.screenShows(card);
  next.type("v");
  await next.screenShows(/^What is asked$[^]*its end is not known: what it left is looked at before anything/m);
  next.type("q");
  await next.screenShows(card);
  next.type("\u001b");
  await next.screenShows(/It waits\. Tab returns to it/);
  await leave(next);
  expect(inbox.runs).toBe(0);
});
