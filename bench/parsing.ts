import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { readsPerRound, rounds, runTimeoutMs } from "./limits.ts";
import type { Pair } from "./measurements.ts";
import { median } from "./median.ts";
import { ModelServer } from "./model-server.ts";
import type { BenchWire } from "./wires.ts";

/** CPU of reading one long answer, in ms. `capstan`: our provider; `bare`: eventsource-parser on the same bytes. */
export interface ParsingMeasurements {
  /** Over loopback, the bare one with `node:http`. */
  readonly loopback: Pair;
  /** The same, where the bare one parses each event's JSON. */
  readonly loopbackJson: Pair;
  /** From memory: parsing alone. */
  readonly memory: Pair;
  readonly memoryJson: Pair;
}

/** Reads the long answer with our provider, and with the least that could read it, each in a process of its own. */
export async function measureParsing(wire: BenchWire): Promise<ParsingMeasurements> {
  const server = await ModelServer.start("longAnswer");
  const samples = new Map<string, number[]>();
  try {
    for (let round = 0; round < rounds.parsing; round += 1) {
      for (const reader of readers) {
        const kept = samples.get(nameOf(reader)) ?? [];
        samples.set(nameOf(reader), [...kept, await cpuMs([...reader.program, wire.name, server.url], reader.way)]);
      }
    }
  } finally {
    server.stop();
  }
  const cpuOf = (program: readonly string[], way: string): number =>
    median(samples.get(nameOf({ program, way })) ?? []);
  const pair = (way: string, bareWay: string): Pair => ({ capstan: cpuOf(ours, way), bare: cpuOf(bare, bareWay) });
  return {
    loopback: pair("loopback", "loopback"),
    loopbackJson: pair("loopback", "loopback-json"),
    memory: pair("memory", "memory"),
    memoryJson: pair("memory", "memory-json"),
  };
}

interface Reader {
  readonly program: readonly string[];
  readonly way: string;
}

const ours: readonly string[] = ["--import", "tsx", "--conditions=source", join(import.meta.dirname, "read-stream.ts")];
const bare: readonly string[] = [join(import.meta.dirname, "bare", "read-stream.mjs")];
const readers: readonly Reader[] = [
  ...["loopback", "memory"].map((way) => ({ program: ours, way })),
  ...["loopback", "loopback-json", "memory", "memory-json"].map((way) => ({ program: bare, way })),
];

function nameOf({ program, way }: Reader): string {
  return `${program.at(-1) ?? ""} ${way}`;
}

async function cpuMs(args: readonly string[], way: string): Promise<number> {
  const options = { encoding: "utf8", timeout: runTimeoutMs } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [...args, String(readsPerRound), way], options);
  const use: { readonly cpuMs: number } = JSON.parse(stdout);
  return use.cpuMs;
}
