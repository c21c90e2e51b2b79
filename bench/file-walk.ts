import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { rounds, walksPerRound } from "./limits.ts";
import { median } from "./median.ts";
import type { Pair } from "./measurements.ts";
import { inFilePlace } from "../attacks/stage/file-place.ts";

const path = "src/parts/deep/file.txt";

/** One small file five folders down, read through every check, and opened by its name after a look at where it leads; ms each. */
export async function measureFileWalk(): Promise<Pair> {
  return await inFilePlace(async (place) => {
    place.write(path, "some text\n");
    const samples: Record<keyof Pair, number[]> = { capstan: [], bare: [] };
    for (let round = 0; round < rounds.fileWalk; round += 1) {
      samples.capstan.push(await mean(async () => void (await place.call("read_file", { path }))));
      samples.bare.push(await mean(async () => void readFileSync(realpathSync(join(place.cwd, path)))));
    }
    return { capstan: median(samples.capstan), bare: median(samples.bare) };
  });
}

async function mean(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  for (let count = 0; count < walksPerRound; count += 1) await work();
  return (performance.now() - startedMs) / walksPerRound;
}
