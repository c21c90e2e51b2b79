import { spawnSync } from "node:child_process";
import { SeededRandom } from "@capstan/testkit";
import { checkEvidence } from "../checker/check-evidence.ts";
import type { Violation } from "../checker/evidence.ts";
import { TestBed } from "../runs/test-bed.ts";
import { makeScript } from "../scripts/all-scripts.ts";
import type { TortureWire } from "../stage/wires.ts";
import { SmallDisk } from "./small-disk.ts";

/** What became of one storage fault. */
export interface FaultReport {
  readonly fault: string;
  readonly line: number;
  /** Why it was left out; `null`: it was not. */
  readonly skipped: string | null;
  /** How the disturbed run ended, in its own words. */
  readonly reported: string;
  readonly violations: readonly Violation[];
}

interface Fault {
  readonly name: string;
  /** Lets it happen from this line on, and end. @returns how the disturbed run ended, in its own words */
  play(bed: TestBed, disk: SmallDisk, line: number): Promise<string>;
}

const faults: readonly Fault[] = [
  {
    name: "the disk is full",
    async play(bed, disk, line) {
      const reported = await bed.disturb({ type: "disturb", count: line, act: () => disk.fill() });
      disk.makeRoom();
      return reported;
    },
  },
  {
    // A disk with open files cannot be made read-only from outside: it is, for the process that recovers.
    name: "the disk is read-only",
    async play(bed, disk, line) {
      await bed.start({ type: "line", count: line });
      if (!disk.writable(false)) throw new Error("the disk could not be made read-only");
      const reported = await bed.attempt([]);
      disk.writable(true);
      return reported;
    },
  },
  {
    name: "the clock jumps back by ten days",
    async play(bed, _disk, line) {
      await bed.start({ type: "line", count: line });
      return bed.attempt(["faketime", "-f", "-10d"]);
    },
  },
];

/** Lines of standard output at which each fault begins: before anything, in an answer, among effects. */
const lines: readonly number[] = [1, 6, 14, 24];

/** The home's disk fails in the middle of a turn; then the cause goes away, and the session continues. */
export async function tortureStorage(entry: string, wire: TortureWire, seed: number): Promise<readonly FaultReport[]> {
  const reports: FaultReport[] = [];
  for (const fault of faults)
    for (const line of lines) reports.push(await oneFault(fault, line, { entry, wire, seed }));
  return reports;
}

async function oneFault(
  fault: Fault,
  line: number,
  { entry, wire, seed }: { readonly entry: string; readonly wire: TortureWire; readonly seed: number },
): Promise<FaultReport> {
  const random = SeededRandom.of(seed, line);
  const play = { entry, wire, script: makeScript("mixed", random), random, unharmed: { durationMs: 0 } };
  const bed = await TestBed.open(play);
  const disk = SmallDisk.mount(bed.place.data);
  const report = { fault: fault.name, line };
  try {
    if (disk === null) return { ...report, skipped: "mounting is not allowed here", reported: "", violations: [] };
    if (fault.name.startsWith("the clock") && !hasFaketime())
      return { ...report, skipped: "faketime is not installed", reported: "", violations: [] };
    const reported = await fault.play(bed, disk, line);
    const stuck = await proceed(bed);
    const violations = checkEvidence(await bed.evidence([...unclear(reported), ...stuck]));
    return { ...report, skipped: null, reported, violations };
  } finally {
    disk?.unmount();
    await bed.close(false);
  }
}

/** Resumes that a script takes when nothing is wrong any more. */
const mostResumes = 6;

async function proceed(bed: TestBed): Promise<readonly string[]> {
  for (let resumes = 0; resumes === 0 || !bed.isOver(); resumes += 1) {
    if (resumes >= mostResumes) return [`after ${mostResumes} resumes the script is still not played`];
    const problem = await bed.resume({ type: "never" }, "tell-model");
    if (problem !== null) return [problem];
  }
  return [];
}

/** A run that a full disk ends says so; one that needed nothing more of the disk is done. */
function unclear(reported: string): readonly string[] {
  return /^done|storage\.|outcome-unknown/.test(reported)
    ? []
    : [`the disturbed run ended without a clear word: ${reported}`];
}

/** A clock that jumps takes a library that is seldom installed. */
function hasFaketime(): boolean {
  return spawnSync("faketime", ["--version"], { stdio: "ignore" }).status === 0;
}
