import { expect, inject, test } from "vitest";
import { type NumberedReport, tortureWire } from "../../torture/runs/torture-wires.ts";
import { tortureWires } from "../../torture/stage/wires.ts";

/** Three kills on each wire, with scripts and moments that differ. */
const options = {
  seed: 20_261_122,
  runs: 3,
  run: undefined,
  wires: tortureWires,
  scenarios: ["mixed", "commands", "files"],
  point: undefined,
  keep: false,
};

test("killed at a dozen instants over four wires, nothing slips", { timeout: 120_000 }, async () => {
  const reports = await tortureWire(options, inject("capstanEntry"), () => undefined);
  const broken = reports.filter(({ violations }) => violations.length > 0).map((report) => reported(report));
  expect(broken).toEqual([]);
  expect(reports).toHaveLength(options.runs * tortureWires.length);
  expect(reports.flatMap(({ crashPoints }) => crashPoints).length).toBeGreaterThan(options.runs);
});

function reported({ wire, scenario, run, plan, violations }: NumberedReport): string {
  return `${wire}, ${scenario}, run ${run}, killed ${plan}: ${violations.map(({ text }) => text).join("; ")}`;
}
