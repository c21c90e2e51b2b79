import { parseArgs } from "node:util";
import type { ViolationKind } from "./checker/evidence.ts";
import { scripts } from "./scripts/all-scripts.ts";
import { type TortureWire, tortureWire, tortureWires } from "./stage/wires.ts";

/** What `npm run torture` was asked for. */
export interface TortureOptions {
  /** Runs on each wire. */
  readonly runs: number;
  readonly seed: number;
  /** Only this run of each wire. */
  readonly run: number | undefined;
  readonly wires: readonly TortureWire[];
  readonly scenarios: readonly string[];
  /** Kills every run at this line of stream-json. */
  readonly point: number | undefined;
  /** Schedules of the simulation, in place of real processes. */
  readonly simulate: number | undefined;
  /** Leaves the folders of failing runs. */
  readonly keep: boolean;
  /** Where the report is written as JSON. */
  readonly json: string | undefined;
  /** Kinds of violations that are counted and do not make the run fail. */
  readonly allowed: readonly ViolationKind[];
  /** Also the storage faults. */
  readonly faults: boolean;
}

const kinds: readonly ViolationKind[] = ["lost", "doubled", "bricked", "survivor", "leftover", "journal", "doctor"];
const defaultRuns = 25;

/** What `--help` prints. */
export const usage = `npm run torture -- [options]

  --runs N         runs on each wire (25)
  --wire NAME      one wire: ${tortureWires.join(", ")} (all)
  --scenario NAME  one scenario: ${Object.keys(scripts).join(", ")} (all)
  --seed N         the same runs again
  --run N          only this run of each wire
  --point N        kill every run at this line of stream-json
  --faults         also the storage faults
  --allow KIND     count a kind of violation without failing: ${kinds.join(", ")}
  --keep           leave the folders of failing runs
  --json FILE      the report as JSON
`;

/** @throws with the flag's name and what it takes */
export function readOptions(args: readonly string[]): TortureOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: "string" },
      seed: { type: "string" },
      run: { type: "string" },
      wire: { type: "string", default: "all" },
      scenario: { type: "string", default: "all" },
      point: { type: "string" },
      simulate: { type: "string" },
      json: { type: "string" },
      keep: { type: "boolean", default: false },
      faults: { type: "boolean", default: false },
      allow: { type: "string", multiple: true, default: [] },
    },
  });
  return {
    runs: whole("--runs", values.runs) ?? defaultRuns,
    seed: whole("--seed", values.seed) ?? Date.now() % 1_000_000,
    run: whole("--run", values.run),
    wires: values.wire === "all" ? tortureWires : [tortureWire(values.wire)],
    scenarios: values.scenario === "all" ? Object.keys(scripts) : [knownScript(values.scenario)],
    point: whole("--point", values.point),
    simulate: whole("--simulate", values.simulate),
    keep: values.keep,
    json: values.json,
    faults: values.faults,
    allowed: values.allow.map((name) => kindNamed(name)),
  };
}

function whole(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag} takes a whole number, not ${text}`);
  return Number(text);
}

function knownScript(name: string): string {
  if (Object.hasOwn(scripts, name)) return name;
  throw new Error(`--scenario takes all, ${Object.keys(scripts).join(", ")}, not ${name}`);
}

function kindNamed(name: string): ViolationKind {
  const kind = kinds.find((known) => known === name);
  if (kind === undefined) throw new Error(`--allow takes ${kinds.join(", ")}, not ${name}`);
  return kind;
}
