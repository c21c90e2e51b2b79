/**
 * `npm run bench`: what Capstan costs, as ratios to a bare script that does the same work in the same run with `node:http` alone.
 * Needs a built binary (`npm run build`). A missed target is printed; only a run that fails makes it fail.
 *
 * Everything is measured on `anthropic`, and what depends on the wire on the others too; `npm run bench -- --wire google` measures
 * everything on that wire, and nothing on the others. `npm run bench -- --tui` measures the terminal UI, and nothing else
 * (`--only opening,spinner`: these parts of it; `--only peer`: beside another agent, which is installed from npm into a temporary folder);
 * `npm run bench -- --context` what of a long history a model still finds; `npm run bench -- --long` what a session of 20,000 turns takes.
 */
// oxlint-disable-next-line import/no-unassigned-import -- it must run before the engine is loaded
import "./put-state-mark.ts";
import { existsSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { contextRows } from "./context/context-rows.ts";
import { Place } from "./contestants.ts";
import { longSessionRows } from "./long-sessions/long-session-rows.ts";
import { measureCrowd } from "./crowd/measure-crowd.ts";
import { crowd } from "./limits.ts";
import { measureCancel } from "./cancel.ts";
import { measureAll, measureWire } from "./measurements.ts";
import { measureDeciding } from "./deciding/measure-deciding.ts";
import { measureFileWalk } from "./file-walk.ts";
import { measureManyFiles } from "./many-files/measure-many-files.ts";
import { measureOpening } from "./opening.ts";
import { measureParsing } from "./parsing.ts";
import {
  cancelRow,
  crowdRow,
  decidingRow,
  fileWalkRow,
  manyFilesRows,
  openingRow,
  parsingRows,
  type ReportRow,
  reportRows,
  sandboxRow,
  serversRow,
  tableText,
  wireRows,
} from "./report-rows.ts";
import { measureServers } from "./servers/measure-servers.ts";
import { measureSandboxedSpawn } from "./sandboxed-spawn.ts";
import { tuiRows } from "./tui/tui-rows.ts";
import { type BenchWire, benchWire, benchWires } from "./wires.ts";

if (!existsSync(join(import.meta.dirname, "..", "bin", "capstan")))
  throw new Error("there is no bin/capstan: run `npm run build` first");

const {
  wire: asked,
  tui,
  context,
  long,
  only,
} = parseArgs({
  options: {
    wire: { type: "string" },
    tui: { type: "boolean" },
    context: { type: "boolean" },
    long: { type: "boolean" },
    only: { type: "string" },
  },
}).values;
const wires = asked === undefined ? benchWires : [benchWire(asked)];
const place = new Place();
try {
  const rows: readonly ReportRow[] =
    tui === true
      ? await tuiRows({ place, wire: benchWire(asked ?? "anthropic"), progress }, only)
      : context === true
        ? await contextRows(progress)
        : long === true
          ? await longSessionRows(progress)
          : await engineRows();
  const missed = rows.filter(({ met }) => met === "NO").length;
  process.stdout.write(
    `${machine()}\n\n${tableText(rows)}\n\n${missed === 0 ? "All targets are met." : `${missed} of the targets are missed.`}\n`,
  );
} finally {
  place.remove();
}

async function engineRows(): Promise<readonly ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const [index, wire] of wires.entries())
    rows.push(...(index === 0 ? await allRows(wire) : await furtherRows(wire)));
  for (const wire of wires) rows.push(...(await ownRows(wire)));
  progress("opening a long session");
  rows.push(openingRow(await measureOpening()));
  progress("the sandbox");
  const spawned = await measureSandboxedSpawn();
  if (spawned !== undefined) {
    rows.push(sandboxRow(spawned));
    progress("commands in a workspace of many files");
    const [first = benchWire("anthropic")] = wires;
    rows.push(...manyFilesRows(await measureManyFiles(first)));
  }
  progress("MCP servers");
  rows.push(serversRow(await measureServers(benchWire("anthropic"))));
  progress("the walk to a file");
  rows.push(fileWalkRow(await measureFileWalk()));
  progress("decisions");
  rows.push(decidingRow(await measureDeciding()));
  progress(`${crowd.clients} clients of one session`);
  rows.push(crowdRow(await measureCrowd()));
  return rows;
}

function progress(what: string): void {
  process.stderr.write(`measuring ${what} …\n`);
}

async function allRows(wire: BenchWire): Promise<readonly ReportRow[]> {
  return reportRows(await measureAll({ place, wire, progress }));
}

async function furtherRows(wire: BenchWire): Promise<readonly ReportRow[]> {
  return wireRows(wire.name, await measureWire({ place, wire, progress }));
}

/** What has no bare agent to compare with. */
async function ownRows(wire: BenchWire): Promise<readonly ReportRow[]> {
  progress(`${wire.name}: parsing`);
  const parsing = parsingRows(wire.name, await measureParsing(wire));
  progress(`${wire.name}: cancel`);
  return [...parsing, cancelRow(wire.name, await measureCancel(place, wire))];
}

function machine(): string {
  const processors = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  const model = processors[0]?.model.trim() ?? "unknown processor";
  return `${new Date().toISOString().slice(0, 10)} · ${processors.length} × ${model} · ${memoryGb} GB · ${type()} ${release()} · Node ${process.version}`;
}
