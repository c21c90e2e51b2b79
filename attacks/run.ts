/**
 * Every row of the attack catalogue that concerns what exists, tried for real, each beside the same attempt without the defence.
 * `npm run attacks [-- --row C11 --group P --verbose --nightly]`; `ATTACK_ROUNDS`: rounds of each race
 */
import { parseArgs } from "node:util";
import type { Attack } from "./suite/attack.ts";
import { isProved, runSuite, summaryLines, type Tried } from "./suite/run-suite.ts";
import { leftOutCommandLines } from "./groups/commands/command-lines.ts";
import { allAttacks } from "./suite/all-attacks.ts";
import { describePlanWrites } from "./plan-writes/plan-writes.ts";
import { planWritesInSandbox } from "./suite/plan-writes-in-sandbox.ts";
import { judgeOrdinaryWork, ordinaryLine } from "./suite/ordinary-work.ts";

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
const isWhole = values.row === undefined && values.group === undefined;
let failed = all.filter((tried) => !isProved(tried)).length;
if (isWhole) {
  const ordinary = await judgeOrdinaryWork();
  process.stdout.write(`${ordinaryLine(ordinary)}\n`);
  if (!ordinary.isProved) failed += 1;
  const plan = await planWritesInSandbox();
  process.stdout.write(`${describePlanWrites(plan)}\n`);
  failed += plan.writes.length + plan.late.length;
  process.stdout.write(`Left out: ${leftOutCommandLines()} command lines that even a careless gatekeeper stops`);
  process.stdout.write(process.getuid?.() === 0 ? ", and the limit on processes, from which root is exempt.\n" : ".\n");
}
process.stdout.write(failed === 0 ? "Nothing got through.\n" : `${failed} of ${all.length} NOT proved.\n`);
process.exit(failed === 0 ? 0 : 1);

function isChosen({ row }: Attack): boolean {
  const { row: rows = [], group = [] } = values;
  return (rows.length === 0 && group.length === 0) || rows.includes(row) || group.includes(row.slice(0, 1));
}

function describe({ attack, attempt, control }: Tried): string {
  const input = JSON.stringify(attack.input).slice(0, 160);
  return `${attack.row} ${input}\n    defended: ${attempt.result} (${attempt.evidence})\n    control:  ${control.result} (${control.evidence})\n`;
}
