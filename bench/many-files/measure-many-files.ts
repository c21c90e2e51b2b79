import { once } from "node:events";
import { createInterface } from "node:readline";
import { Place } from "../contestants.ts";
import { filesOfLargeWorkspace } from "../limits.ts";
import { median } from "../median.ts";
import { ModelServer } from "../model-server.ts";
import type { BenchWire } from "../wires.ts";

/** Sandboxed commands of one run in a workspace of many files, ms. */
export interface ManyFilesMeasurements {
  readonly firstMs: number;
  /** The median of the others. */
  readonly laterMs: number;
}

export async function measureManyFiles(wire: BenchWire): Promise<ManyFilesMeasurements> {
  const place = new Place(filesOfLargeWorkspace);
  const server = await ModelServer.start("commands");
  try {
    const child = place.start(server.url, wire);
    const durations: number[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const event: unknown = JSON.parse(line);
      if (isFinishedCall(event)) durations.push(event.durationMs);
    }
    if (child.exitCode === null) await once(child, "exit");
    const [firstMs, ...later] = durations;
    if (firstMs === undefined) throw new Error("no command ran in the workspace of many files");
    return { firstMs, laterMs: median(later) };
  } finally {
    server.stop();
    place.remove();
  }
}

function isFinishedCall(event: unknown): event is { readonly durationMs: number } {
  return (
    typeof event === "object" &&
    event !== null &&
    "type" in event &&
    event.type === "tool-finished" &&
    "durationMs" in event
  );
}
