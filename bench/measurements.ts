import { median } from "./median.ts";
import { spawnSync } from "node:child_process";
import { type Contestant, contestants, type Place, startUpArguments } from "./contestants.ts";
import { commandsRun, earlyTurn, lateTurn, rounds, turnsAveraged } from "./limits.ts";
import { ModelServer, type ServedRequest } from "./model-server.ts";
import type { ProcessUse } from "./run-process.ts";
import type { ScenarioName } from "./scenarios.ts";
import type { BenchWire } from "./wires.ts";

/** A number for each of the two: the median over the rounds. */
export type Pair = Readonly<Record<Contestant, number>>;

export interface Measurements {
  readonly startUpMs: Pair;
  readonly firstRequestMs: Pair;
  readonly firstRequestBytes: Pair;
  readonly earlyTurnMs: Pair;
  readonly lateTurnMs: Pair;
  readonly longRunMemoryMb: Pair;
  readonly streamCpuMs: Pair;
  readonly streamMemoryMb: Pair;
  readonly parallelReadsMs: Pair;
  readonly commandsMs: Pair;
}

/** What is measured on the wires beside the one that everything is measured on. */
export type WireMeasurements = Pick<Measurements, "earlyTurnMs" | "streamCpuMs">;

export interface Bench {
  readonly place: Place;
  readonly wire: BenchWire;
  readonly progress: (what: string) => void;
}

/** Everything that is measured, one thing after the other. */
export async function measureAll({ place, wire, progress }: Bench): Promise<Measurements> {
  const measure = runsOn(place, wire);
  progress("start-up");
  const startUpMs = measureStartUp();
  progress("first request");
  const short = await measure("shortAnswer", { rounds: rounds.firstRequest, requests: 1 });
  progress("tool turns");
  const turns = await measure("toolTurns", { rounds: rounds.toolTurns, requests: lateTurn + 1 });
  progress("long answer");
  const stream = await measure("longAnswer", { rounds: rounds.stream, requests: 1 });
  progress("parallel reads");
  const reads = await measure("parallelReads", { rounds: rounds.parallelReads, requests: 2 });
  progress("commands");
  const commands = await measure("commands", { rounds: rounds.commands, requests: commandsRun + 1 });

  return {
    startUpMs,
    firstRequestMs: medians(short, ({ use, requests }) => at(requests, 0) - use.startedAtMs),
    firstRequestBytes: medians(short, ({ requests }) => requests[0]?.bytes ?? Number.NaN),
    earlyTurnMs: medians(turns, ({ requests }) => turnMs(requests, earlyTurn)),
    lateTurnMs: medians(turns, ({ requests }) => turnMs(requests, lateTurn)),
    longRunMemoryMb: medians(turns, ({ use }) => use.maxMemoryMb),
    streamCpuMs: withoutStart(stream, short),
    streamMemoryMb: medians(stream, ({ use }) => use.maxMemoryMb),
    parallelReadsMs: medians(reads, ({ requests }) => at(requests, 1) - at(requests, 0)),
    commandsMs: medians(commands, ({ use }) => use.wallMs),
  };
}

/** Tool turns and the long answer alone. */
export async function measureWire({ place, wire, progress }: Bench): Promise<WireMeasurements> {
  const measure = runsOn(place, wire);
  progress(`${wire.name}: tool turns`);
  const turns = await measure("fewToolTurns", { rounds: rounds.toolTurns, requests: earlyTurn + 1 });
  progress(`${wire.name}: long answer`);
  const short = await measure("shortAnswer", { rounds: rounds.stream, requests: 1 });
  const stream = await measure("longAnswer", { rounds: rounds.stream, requests: 1 });
  return {
    earlyTurnMs: medians(turns, ({ requests }) => turnMs(requests, earlyTurn)),
    streamCpuMs: withoutStart(stream, short),
  };
}

/** What a run with a short answer takes is start-up, and measured elsewhere. */
function withoutStart(stream: Runs, short: Runs): Pair {
  const whole = medians(stream, ({ use }) => use.cpuMs);
  const start = medians(short, ({ use }) => use.cpuMs);
  return { capstan: whole.capstan - start.capstan, bare: whole.bare - start.bare };
}

interface Run {
  readonly use: ProcessUse;
  readonly requests: readonly ServedRequest[];
}

type Runs = Readonly<Record<Contestant, readonly Run[]>>;

function measureStartUp(): Pair {
  const samples: Record<Contestant, number[]> = { capstan: [], bare: [] };
  for (let round = 0; round < rounds.startUp; round += 1) {
    for (const contestant of contestants) {
      const begin = performance.now();
      const { status } = spawnSync(process.execPath, startUpArguments[contestant], { stdio: "ignore" });
      samples[contestant].push(performance.now() - begin);
      if (status !== 0) throw new Error(`${contestant} did not start`);
    }
  }
  return { capstan: median(samples.capstan), bare: median(samples.bare) };
}

interface Count {
  readonly rounds: number;
  readonly requests: number;
}

function runsOn(place: Place, wire: BenchWire): (scenario: ScenarioName, count: Count) => Promise<Runs> {
  return (scenario, count) => measureRuns({ place, wire, scenario }, count);
}

async function measureRuns(
  { place, wire, scenario }: { readonly place: Place; readonly wire: BenchWire; readonly scenario: ScenarioName },
  count: Count,
): Promise<Runs> {
  const server = await ModelServer.start(scenario);
  const runs: Record<Contestant, Run[]> = { capstan: [], bare: [] };
  try {
    // Round 0 warms caches, and makes the database; it does not count.
    for (let round = 0; round <= count.rounds; round += 1) {
      for (const contestant of contestants) {
        const use = await place.run(contestant, server.url, wire);
        const requests = await server.takeRequests(count.requests);
        if (requests.length !== count.requests)
          throw new Error(`${contestant} made ${requests.length} requests in ${scenario}, not ${count.requests}`);
        if (round > 0) runs[contestant].push({ use, requests });
      }
    }
    return runs;
  } finally {
    server.stop();
  }
}

/** The mean time of the turns that end with this one. */
function turnMs(requests: readonly ServedRequest[], turn: number): number {
  return (at(requests, turn) - at(requests, turn - turnsAveraged)) / turnsAveraged;
}

function at(requests: readonly ServedRequest[], index: number): number {
  return requests[index]?.atMs ?? Number.NaN;
}

function medians(runs: Runs, value: (run: Run) => number): Pair {
  return { capstan: median(runs.capstan.map(value)), bare: median(runs.bare.map(value)) };
}
