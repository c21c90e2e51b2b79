import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Place } from "../contestants.ts";
import { tui } from "../limits.ts";
import { median } from "../median.ts";
import { ModelServer } from "../model-server.ts";
import { markdownBytes, type ScenarioName } from "../scenarios.ts";
import type { BenchWire } from "../wires.ts";
import { TerminalProcess } from "./terminal-process.ts";

/** What is measured at a terminal. */
export interface TuiBench {
  readonly place: Place;
  readonly wire: BenchWire;
  readonly progress: (what: string) => void;
}

const bare = join(import.meta.dirname, "..", "bare", "terminal.mjs");
/** What the empty draft looks like on a screen that is painted. */
const prompt = "› ";
const done = "— done";

export interface Answered {
  readonly screen: "inline" | "full";
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly framesPerSecond: number;
  readonly bytes: number;
  readonly fullClears: number;
}

export async function withModel<Result>(
  scenario: ScenarioName,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = await ModelServer.start(scenario);
  try {
    return await work(server.url);
  } finally {
    server.stop();
  }
}

/** Opens the terminal UI, lets somebody sit at it, and ends it. */
export async function atTui<Result>(
  { place, wire }: TuiBench,
  { url, args = [] }: { readonly url: string; readonly args?: readonly string[] },
  work: (terminal: TerminalProcess) => Promise<Result>,
): Promise<Result> {
  const terminal = new TerminalProcess(place.tui(url, wire, args));
  try {
    await terminal.shows(prompt);
    return await work(terminal);
  } finally {
    await terminal.end();
  }
}

/** From the start of the process to the first frame, and of a bare process to its first byte. */
export async function measureFirstFrame(bench: TuiBench): Promise<{ readonly tuiMs: number; readonly bareMs: number }> {
  const [ours, others]: [number[], number[]] = [[], []];
  await withModel("shortAnswer", async (url) => {
    for (let round = 0; round <= tui.rounds; round += 1) {
      const ms = await atTui(bench, { url }, async (terminal) => terminal.firstFrameMs);
      const other = new TerminalProcess({
        ...bench.place.tui(url, bench.wire, []),
        args: ["-e", "process.stdout.write('x')"],
      });
      await other.ended;
      // Round 0 warms caches.
      if (round === 0) continue;
      ours.push(ms);
      others.push(other.lastWriteAtMs - other.startedAtMs);
    }
  });
  return { tuiMs: median(ours), bareMs: median(others) };
}

/** A long answer, as fast as it is read. */
export async function measureAnswer(bench: TuiBench, screen: Answered["screen"]): Promise<Answered> {
  const runs: Answered[] = [];
  await withModel("markdownAnswer", async (url) => {
    for (let round = 0; round < tui.rounds; round += 1)
      runs.push(await atTui(bench, { url, args: ["--screen", screen] }, (terminal) => answerOnce(terminal, screen)));
  });
  const middle = (value: (run: Answered) => number): number => median(runs.map(value));
  return {
    screen,
    cpuMs: middle(({ cpuMs }) => cpuMs),
    wallMs: middle(({ wallMs }) => wallMs),
    framesPerSecond: middle(({ framesPerSecond }) => framesPerSecond),
    bytes: middle(({ bytes }) => bytes),
    fullClears: Math.max(...runs.map(({ fullClears }) => fullClears)),
  };
}

async function answerOnce(terminal: TerminalProcess, screen: Answered["screen"]): Promise<Answered> {
  terminal.take();
  const startedAtMs = performance.now();
  terminal.type("go\r");
  await terminal.shows(done);
  const wallMs = performance.now() - startedAtMs;
  await terminal.isQuiet(tui.quietMs);
  const { frames, bytes, fullClears } = terminal.take();
  return { screen, cpuMs: terminal.cpuMs, wallMs, framesPerSecond: frames / (wallMs / 1000), bytes, fullClears };
}

/** The same answer without a screen, and by a bare script that writes it to a terminal. */
export async function measureAnswerElsewhere({ place, wire }: TuiBench): Promise<{
  readonly headless: { readonly cpuMs: number; readonly wallMs: number };
  readonly bareCpuMs: number;
}> {
  return await withModel("markdownAnswer", async (url) => {
    const runs = [];
    const others: number[] = [];
    for (let round = 0; round < tui.rounds; round += 1) {
      runs.push(await place.run("capstan", url, wire));
      others.push(await bareAnswer(place, wire, url));
    }
    const headless = { cpuMs: median(runs.map((run) => run.cpuMs)), wallMs: median(runs.map((run) => run.wallMs)) };
    return { headless, bareCpuMs: median(others) };
  });
}

/** CPU time until the last word was written; read while it runs, for afterwards there is nothing to ask. */
async function bareAnswer(place: Place, wire: BenchWire, url: string): Promise<number> {
  const terminal = new TerminalProcess({ ...place.tui(url, wire, []), args: [bare, "answer", url] });
  const ended = terminal.ended.then(() => true);
  let cpuMs = 0;
  try {
    do cpuMs = terminal.cpuMs;
    while (!(await Promise.race([ended, pause(tui.pollMs, false)])));
  } catch {
    // It has ended between two looks: what was read last counts.
  }
  await terminal.end();
  return cpuMs;
}

export const textBytes: number = markdownBytes;

/** Delays from a key to what it shows, beside 10,000 lines and while an answer comes; and of a process that only writes it back. */
export async function measureKeys(
  bench: TuiBench,
): Promise<{ readonly tuiMs: readonly number[]; readonly bareMs: readonly number[] }> {
  const tuiMs = await withModel("linesThenAnswer", async (url) =>
    atTui(bench, { url }, async (terminal) => {
      terminal.take();
      terminal.type("lines\r");
      await terminal.shows(done);
      await terminal.isQuiet(tui.quietMs);
      terminal.take();
      terminal.type("answer\r");
      await terminal.shows("\u001b[?2026h");
      await pause(tui.quietMs);
      return await keyDelays(terminal, (typed) => typed);
    }),
  );
  const echo = new TerminalProcess({ ...bench.place.tui("", bench.wire, []), args: [bare, "keys"] });
  await echo.shows("ready");
  const bareMs = await keyDelays(echo, (typed) => typed.slice(-1));
  await echo.end();
  return { tuiMs, bareMs };
}

/** @param shown  what stands in the bytes when all that was typed is shown */
export async function keyDelays(
  terminal: TerminalProcess,
  shown: (typed: string) => string,
): Promise<readonly number[]> {
  const delays: number[] = [];
  let typed = "";
  for (let key = 0; key < tui.keys; key += 1) {
    await pause(tui.betweenKeysMs);
    terminal.take();
    const letter = "qwzxj"[key % 5] ?? "q";
    typed += letter;
    const startedAtMs = performance.now();
    terminal.type(letter);
    await terminal.shows(shown(typed));
    delays.push(performance.now() - startedAtMs);
    if (typed.length < tui.wordLetters) continue;
    terminal.type("\u0015");
    typed = "";
  }
  return delays;
}

export interface AtRest {
  readonly writes: number;
  readonly cpuMs: number;
}

/** Nothing runs. */
export async function measureIdle(bench: TuiBench): Promise<AtRest> {
  return await withModel("shortAnswer", (url) =>
    atTui(bench, { url }, async (terminal) => {
      terminal.take();
      terminal.type("go\r");
      await terminal.shows(done);
      await terminal.isQuiet(tui.settleMs);
      return await during(terminal);
    }),
  );
}

/** The model has said something and says nothing more: only the spinner moves. */
export async function measureWorking(bench: TuiBench): Promise<AtRest & { readonly bytesPerFrame: number }> {
  return await withModel("hangingAnswer", (url) =>
    atTui(bench, { url }, async (terminal) => {
      terminal.type("go\r");
      await terminal.shows("word");
      await pause(tui.settleMs);
      return await during(terminal);
    }),
  );
}

async function during(terminal: TerminalProcess): Promise<AtRest & { readonly bytesPerFrame: number }> {
  terminal.take();
  const before = terminal.cpuMs;
  await pause(tui.restMs);
  const { frames, bytes } = terminal.take();
  return { writes: frames, cpuMs: terminal.cpuMs - before, bytesPerFrame: frames === 0 ? 0 : bytes / frames };
}

/** Fifty sizes in a second; from the last one to the last byte. */
export async function measureResizing(bench: TuiBench): Promise<number> {
  return await withModel("linesThenAnswer", (url) =>
    atTui(bench, { url }, async (terminal) => {
      terminal.take();
      terminal.type("lines\r");
      await terminal.shows(done);
      await terminal.isQuiet(tui.quietMs);
      let lastAtMs = 0;
      for (let size = 0; size < tui.sizes; size += 1) {
        terminal.resize(60 + ((size * 7) % 60), 20 + (size % 15));
        lastAtMs = performance.now();
        await pause(1000 / tui.sizes);
      }
      await terminal.isQuiet(tui.quietMs);
      return Math.max(0, terminal.lastWriteAtMs - lastAtMs);
    }),
  );
}

/** What many turns leave in memory. */
export async function measureLongDay(
  bench: TuiBench,
): Promise<{ readonly beforeMb: number; readonly afterMb: number }> {
  return await withModel("shortAnswer", (url) =>
    atTui(bench, { url }, async (terminal) => {
      let beforeMb = 0;
      for (let turn = 0; turn < tui.warmUpTurns + tui.turns; turn += 1) {
        if (turn === tui.warmUpTurns) beforeMb = terminal.memoryMb;
        terminal.take();
        terminal.type("go\r");
        await terminal.shows(done);
      }
      return { beforeMb, afterMb: terminal.memoryMb };
    }),
  );
}
