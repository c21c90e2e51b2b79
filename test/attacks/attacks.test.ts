/** Some attacks of every group, each beside its control, and a suite that can fail. `npm run attacks` tries all. */
import { spawnSync } from "node:child_process";
import { sampled } from "@capstan/testkit";
import { expect, inject, test } from "vitest";
import { allAttacks } from "../../attacks/suite/all-attacks.ts";
import { type Attack, stopped, through } from "../../attacks/suite/attack.ts";
import { isProved, runSuite, summaryLines } from "../../attacks/suite/run-suite.ts";

const hasSandbox = spawnSync("bwrap", ["--version"]).status === 0;
process.env["CAPSTAN_ATTACKED_ENTRY"] = inject("capstanEntry");
const all = await allAttacks();

/** A few of a row, spread over it. */
function some(row: string, count: number): readonly Attack[] {
  const inRow = all.filter((attack) => attack.row === row);
  const step = Math.max(1, Math.floor(inRow.length / count));
  return inRow.filter((_, index) => index % step === 0).slice(0, count);
}

async function unproved(attacks: readonly Attack[]): Promise<readonly string[]> {
  const tried = await runSuite(attacks, () => undefined);
  return tried
    .filter((one) => !isProved(one))
    .map(({ attack, attempt, control }) => `${attack.row} ${attack.input}: ${attempt.evidence} | ${control.evidence}`);
}

test("there are at least 400 inputs, in every group, none of them twice", () => {
  const groups = new Set(all.map(({ row }) => row.slice(0, 1)));
  expect([all.length >= 400, [...groups].toSorted().join("")]).toEqual([true, "CDFHIPRTVX"]);
  expect(new Set(all.map(({ row, input }) => `${row} ${input}`)).size).toBe(all.length);
});

// R needs a terminal of its own: test/end-to-end/untrusted.
test.each([
  "T2",
  "T3",
  "T4",
  "C1",
  "C2",
  "C5",
  "C8",
  "C11",
  "C14",
  "C20",
  "F1",
  "F2",
  "P1",
  "P2",
  "P5",
  "P8",
  "P12",
  "D6",
])("%s: what is tried is stopped, and gets through without the defence", async (row) => {
  const chosen = some(row, 2).filter((attack) => !needsSandbox(attack));
  expect(chosen.length).toBeGreaterThan(0);
  expect(await unproved(chosen)).toEqual([]);
});

test.skipIf(!hasSandbox).each(sampled(["F3", "F5", "D5", "V1", "X1", "I1", "H1", "H7"], 2))(
  "%s, with the real sandbox or binary: what is tried is stopped, and gets through without the defence",
  async (row) => {
    const chosen = some(row, 1);
    expect(chosen.length).toBe(1);
    expect(await unproved(chosen)).toEqual([]);
  },
);

test("a defence that is broken is reported, and a control that proves nothing, too", async () => {
  const [sound] = some("P1", 1);
  if (sound === undefined) throw new Error("there is no attack P1");
  const broken: readonly Attack[] = [
    { ...sound, input: "defence switched off", attempt: async () => sound.control() },
    { ...sound, input: "control that is stopped, too", control: async () => sound.attempt() },
    { ...sound, input: "attempt that fails by itself", attempt: async () => Promise.reject(new Error("no place")) },
    {
      row: "P1",
      input: "sound",
      attempt: async () => Promise.resolve(stopped("")),
      control: async () => Promise.resolve(through("")),
    },
  ];
  const tried = await runSuite(broken, () => undefined);
  expect(tried.map((one) => isProved(one))).toEqual([false, false, false, true]);
  expect(tried[0]?.attempt.result).toBe("through");
  expect(summaryLines(tried).at(-1)).toMatch(/4 tried\s+2 stopped\s+3 through without the defence/);
});

/** F1 is tried by file tools and by commands. */
function needsSandbox({ row, input }: Attack): boolean {
  return (
    (row === "F1" && !input.startsWith("write_file") && !input.startsWith("apply_patch")) ||
    (row === "P8" && !/^(read_file|search)/.test(input))
  );
}
