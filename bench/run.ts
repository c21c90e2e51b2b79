/**
 * `npm run bench`: what Capstan costs, as ratios to a bare script that does the same work in the same run with `node:http` alone.
 * Needs a built binary (`npm run build`). A missed target is printed; only a run that fails makes it fail.
 */
import { existsSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { Place } from "./contestants.ts";
import { measureAll } from "./measurements.ts";
import { reportRows, tableText } from "./report-rows.ts";

if (!existsSync(join(import.meta.dirname, "..", "bin", "capstan")))
  throw new Error("there is no bin/capstan: run `npm run build` first");

const place = new Place();
try {
  const measured = await measureAll(place, (what) => process.stderr.write(`measuring ${what} …\n`));
  const rows = reportRows(measured);
  const missed = rows.filter(({ met }) => met === "NO").length;
  process.stdout.write(
    `${machine()}\n\n${tableText(rows)}\n\n${missed === 0 ? "All targets are met." : `${missed} of the targets are missed.`}\n`,
  );
} finally {
  place.remove();
}

function machine(): string {
  const processors = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  const model = processors[0]?.model.trim() ?? "unknown processor";
  return `${new Date().toISOString().slice(0, 10)} · ${processors.length} × ${model} · ${memoryGb} GB · ${type()} ${release()} · Node ${process.version}`;
}
