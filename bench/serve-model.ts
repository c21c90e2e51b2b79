/** The model server, in a process of its own, so that its work is nobody's CPU time. Started by `model-server.ts`. */
import { startRehearsal } from "@capstan/rehearsal";
import type { ServerMessage } from "./model-server.ts";
import { type ScenarioName, scenarios } from "./scenarios.ts";

const name = Object.keys(scenarios).find((known): known is ScenarioName => known === process.argv[2]);
if (name === undefined) throw new Error("the first argument names no scenario");

const { url } = await startRehearsal({
  scenario: scenarios[name](),
  checks: "off",
  onExchange: ({ order, headers }) => {
    send({ type: "request", order, atMs: nowMs(), bytes: Number(headers["content-length"]) });
  },
});
send({ type: "listening", url });

function send(message: ServerMessage): void {
  process.send?.(message);
}

/** The machine's monotonic clock, the same in every process. */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
