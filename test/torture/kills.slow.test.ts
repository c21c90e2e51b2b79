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

test(
  "killed while a server and hooks run, nothing slips: no call and no hook runs twice, and no process is left",
  { timeout: 120_000 },
  async () => {
    const ofServers = { ...options, seed: 20_261_126, scenarios: ["servers"] };
    const reports = await tortureWire(ofServers, inject("capstanEntry"), () => undefined);
    expect(brokenOf(reports)).toEqual([]);
    expect(reports.flatMap(({ crashPoints }) => crashPoints).length).toBeGreaterThan(options.runs);
  },
);

test("killed at a dozen instants over four wires, nothing slips", { timeout: 120_000 }, async () => {
  const reports = await tortureWire(options, inject("capstanEntry"), () => undefined);
  expect(brokenOf(reports)).toEqual([]);
  expect(reports).toHaveLength(options.runs * tortureWires.length);
  expect(reports.flatMap(({ crashPoints }) => crashPoints).length).toBeGreaterThan(options.runs);
});

function brokenOf(reports: readonly NumberedReport[]): readonly string[] {
  return reports.filter(({ violations }) => violations.length > 0).map((report) => reported(report));
}

function reported({ wire, scenario, run, plan, violations }: NumberedReport): string {
  return `${wire}, ${scenario}, run ${run}, killed ${plan}: ${violations.map(({ text }) => text).join("; ")}`;
}
