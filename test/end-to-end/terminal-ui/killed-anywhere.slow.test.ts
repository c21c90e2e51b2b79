/** What resilience.test.ts promises of one kill, at random instants of one session. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { asking, useInbox } from "../inbox/use-inbox.ts";
import { besideShell, killBinary } from "../stage/beside-shell.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;
const kills = 200;
const leftOpen = /An earlier process ended in the middle/;

/** When it is killed, and what was done before: ms after the start, or after the last key. */
const instants = fc.oneof(
  fc.record({ type: fc.constant("starting" as const), afterMs: fc.integer({ min: 150, max: 900 }) }),
  fc.record({ type: fc.constant("writing" as const), afterMs: fc.integer({ min: 0, max: 1300 }) }),
  fc.record({ type: fc.constant("working" as const), afterMs: fc.integer({ min: 0, max: 600 }) }),
);

/** What stands behind the sign of the draft, where a frame is whole: its last rows are a rule, the draft and the status line. */
async function draftOn(terminal: TerminalRun): Promise<string> {
  for (let looks = 0; looks < 1000; looks += 1) {
    const lines = await terminal.screen();
    const [first = "", ...others] = lines.slice(lines.findLastIndex((line) => line.startsWith("──")) + 1);
    if (first.startsWith("›") && others.at(-1)?.includes("no sandbox") === true)
      return [first.slice(1), ...others.slice(0, -1)].map((line) => line.trim()).join("\n");
    await pause(10);
  }
  throw new Error(`no whole frame: ${(await terminal.screen()).slice(-5).join("\n")}`);
}

async function kill(terminal: TerminalRun): Promise<void> {
  killBinary(place);
  await terminal.screenShows(/SHELL IS BACK/);
  expect(await terminal.ended).toBe(0);
  expect(place.read("after")).toBe(place.read("before"));
}

test(
  "killed at two hundred random instants: the terminal is as before each time, the draft is one that was written, and the session is whole",
  async () => {
    const turns = Array.from({ length: kills }, (_, at) => ({ text: `Answer ${at}. ${"word ".repeat(400)}` }));
    const stage = await place.rehearse("anthropic", turns);
    const args = ["tui", "-m", "anthropic/rehearsal", ...asking];
    /** What the draft may be: what was written last, or before it where that was not stored yet. */
    let possible: readonly string[] = [""];
    /** Drafts that nobody wrote last. */
    const strange: string[] = [];
    const counts = { starting: 0, writing: 0, working: 0, kept: 0 };
    const first = startOnTerminal(place, [...args, "-n", "killed"], { rows: 40, env: stage.env, script: besideShell });
    await first.screenShows(/^› \n/m);
    first.type("begin\r");
    await first.screenShows(/Answer 0\.[^]*— done/);
    await kill(first);
    for (const [at, instant] of fc.sample(instants, kills).entries()) {
      rmSync(join(place.workspace, "pid"), { force: true });
      const terminal = startOnTerminal(place, [...args, "-r", "killed"], {
        rows: 40,
        env: stage.env,
        script: besideShell,
      });
      counts[instant.type] += 1;
      if (instant.type === "starting") {
        for (let waits = 0; !place.has("pid") && waits < 500; waits += 1) await pause(10);
        await pause(instant.afterMs);
        await kill(terminal);
        continue;
      }
      // The status line is the last row of a frame.
      await terminal.screenShows(/^──+\n› [^]*no sandbox/m);
      let unstored: readonly string[] = [];
      if (leftOpen.test((await terminal.screen()).join("\n"))) {
        const written = await draftOn(terminal);
        if (!possible.includes(written)) strange.push(written);
        // Words in the draft keep the focus there.
        if (written !== "") terminal.type("\u0015");
        await terminal.screenShows(/a number answers/);
        terminal.type("d");
        await terminal.screenShows(/^(?![^]*An earlier process ended in the middle)[^]*— interrupted[^]*\n› /);
        // Its words came back just now, and need not be stored yet.
        unstored = possible;
        possible = [await draftOn(terminal), ...unstored];
      }
      const found = await draftOn(terminal);
      if (!possible.includes(found)) strange.push(found);
      expect(strange).toEqual([]);
      if (found !== "" && found === possible[0]) counts.kept += 1;
      const words = `w${at}`;
      terminal.type(instant.type === "writing" ? `\u0015${words}` : `\u0015say ${words}\r`);
      await terminal.screenShows(
        instant.type === "writing" ? new RegExp(`─\\n› ${words}\\n`) : new RegExp(`(?:›|queued:) say ${words}`),
      );
      await pause(instant.afterMs);
      possible = instant.type === "writing" ? [words, found, ...unstored] : ["", found, `say ${words}`, ...unstored];
      await kill(terminal);
    }
    const { code } = await place.run(["doctor", "killed"]);
    expect(code).toBe(0);
    expect((await place.run(["audit", "verify", "killed"])).code).toBe(0);
    process.stdout.write(`kills: ${JSON.stringify(counts)}\n`);
  },
  30 * 60_000,
);
