import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../contestants.ts";
import { rounds, serversBeside } from "../limits.ts";
import { median } from "../median.ts";
import { ModelServer } from "../model-server.ts";
import type { BenchWire } from "../wires.ts";

/** A server of the protocol with one tool, as small as one can be. */
const server = `import { createInterface } from "node:readline";
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "small", version: "1" } });
  else if (method === "tools/list") say(id, { tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }] });
  else if (id !== undefined) say(id, {});
});
`;

/** From the start of the process to its first request, in ms (median). */
export interface ServersMeasurement {
  readonly withServersMs: number;
  readonly withoutMs: number;
}

/** A run with servers beside it, and one without any, in turn. */
export async function measureServers(wire: BenchWire): Promise<ServersMeasurement> {
  const places = { withServersMs: new Place(), withoutMs: new Place() };
  const samples: Readonly<Record<keyof ServersMeasurement, number[]>> = { withServersMs: [], withoutMs: [] };
  configure(places.withServersMs);
  const model = await ModelServer.start("shortAnswer");
  try {
    for (let round = 0; round <= rounds.firstRequest; round += 1) {
      for (const kind of ["withServersMs", "withoutMs"] as const) {
        const { startedAtMs } = await places[kind].run("capstan", model.url, wire);
        const [first] = await model.takeRequests(1);
        // The first round makes the databases.
        if (round > 0 && first !== undefined) samples[kind].push(first.atMs - startedAtMs);
      }
    }
    return { withServersMs: median(samples.withServersMs), withoutMs: median(samples.withoutMs) };
  } finally {
    model.stop();
    for (const place of Object.values(places)) place.remove();
  }
}

function configure({ workspace, dataFolder }: Place): void {
  writeFileSync(join(workspace, "server.mjs"), server);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const command = `command = ${JSON.stringify(process.execPath)}\nargs = ["server.mjs"]\n`;
  const tables = Array.from({ length: serversBeside }, (_, at) => `[mcp_servers.small${at + 1}]\n${command}`);
  writeFileSync(join(dataFolder, "config.toml"), tables.join("\n"), { mode: 0o600 });
}
