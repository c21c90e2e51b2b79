/**
 * Every row of the attack catalogue that concerns what exists, tried for real, each beside the same attempt without the defence.
 * `npm run attacks [-- --row C11 --group P --verbose --nightly]`; `ATTACK_ROUNDS`: rounds of each race
 */
import { parseArgs } from "node:util";
import type { Attack } from "./suite/attack.ts";
import { isProved, runSuite, summaryLines, type Tried } from "./suite/run-suite.ts";
import { allAttacks } from "./suite/all-attacks.ts";

const { values } = parseArgs({
  options: {
    row: { type: "string", multiple: true },
    group: { type: "string", multiple: true },
    verbose: { type: "boolean", default: false },
    nightly: { type: "boolean", default: false },
  },
});
if (values.nightly) process.env["ATTACK_NIGHTLY"] = "1";
const chosen = (await allAttacks()).filter(isChosen);
if (chosen.length === 0) {
  process.stderr.write("No attack is of such a row or group.\n");
  process.exit(2);
}
const all = await runSuite(chosen, (tried) => {
  if (values.verbose || !isProved(tried)) process.stdout.write(describe(tried));
});
process.stdout.write(`${summaryLines(all).join("\n")}\n`);
const unproved = all.filter((tried) => !isProved(tried)).length;
process.stdout.write(unproved === 0 ? "Nothing got through.\n" : `${unproved} of ${all.length} NOT proved.\n`);
process.exit(unproved === 0 ? 0 : 1);

function isChosen({ row }: Attack): boolean {
  const { row: rows = [], group = [] } = values;
  return (rows.length === 0 && group.length === 0) || rows.includes(row) || group.includes(row.slice(0, 1));
}

function describe({ attack, attempt, control }: Tried): string {
  const input = JSON.stringify(attack.input).slice(0, 160);
  return `${attack.row} ${input}\n    defended: ${attempt.result} (${attempt.evidence})\n    control:  ${control.result} (${control.evidence})\n`;
}
