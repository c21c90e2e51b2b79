import {
  dataDirectory,
  type ChangedCall,
  openSessions,
  type PolicyTest,
  readPolicyFile,
  testPolicy,
} from "@capstan/host";
import { AppError } from "@capstan/protocol";
import { inertText } from "@capstan/view";

interface TestFlags {
  readonly against: string;
  readonly replace?: boolean;
  readonly json?: boolean;
}

/** `capstan policy test FILE`: recorded calls under other rules. Exit code 1: a call that ran would be denied, or one that did not would run. */
export async function testPolicyFile(name: string, flags: TestFlags): Promise<number> {
  const since = Date.now() - durationMs(flags.against);
  const file = await readPolicyFile(name, process.cwd());
  for (const warning of file.warnings) process.stderr.write(`capstan: ${inertText(warning)}\n`);
  const { store } = await openSessions(dataDirectory(process.env));
  try {
    const test = await testPolicy(store, file, { since, replace: flags.replace === true, onProgress: showProgress });
    const passed = test.nowDenied.count === 0 && test.newRisk.count === 0;
    const text =
      flags.json === true ? JSON.stringify({ file: file.file, passed, ...test }, null, 2) : lines(test).join("\n");
    process.stdout.write(`${inertText(text)}\n`);
    return passed ? 0 : 1;
  } finally {
    await store.close();
  }
}

function showProgress(calls: number): void {
  process.stderr.write(`capstan: ${calls} calls replayed …\n`);
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function durationMs(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const milliseconds = unitMs[unit];
  if (milliseconds === undefined) {
    throw new AppError(
      "usage.invalid",
      "--against: expected a number of hours, days or weeks, for example 12h, 30d or 4w",
    );
  }
  return Number(count) * milliseconds;
}

function lines(test: PolicyTest): readonly string[] {
  return [
    `${test.calls} calls replayed, ${test.unchanged} as before`,
    `${test.promptsSaved} prompts saved: a user had agreed, and is not asked any more`,
    `${test.newPrompts.count} new prompts`,
    ...test.newPrompts.samples.map(callText),
    `${test.nowDenied.count} calls that ran would be denied`,
    ...test.nowDenied.samples.map(callText),
    `${test.newRisk.count} calls that did not run would run without a user`,
    ...test.newRisk.samples.map(callText),
    `${test.questionsRefused} questions that nobody agreed to would be refused unasked, ${test.denialsAsked} denials would be asked about`,
    test.neverMatched.length === 0 ? "Every rule matched something." : "Rules that never matched:",
    ...test.neverMatched.map(({ rule, place }) => `  ${rule} [${place}]`),
  ];
}

function callText({ summary, before, now, reason, at }: ChangedCall): string {
  return `  ${at} ${summary}: ${before} → ${now}: ${reason}`;
}
