import { SeededRandom } from "@capstan/testkit";
import { type Accepted, agrees, isComparable, jobsOf } from "./compare.ts";
import type { Dialect } from "./dialects.ts";
import { generateScript } from "./generate-script.ts";
import { batchSize } from "./limits.ts";
import { runBatch, type Seen } from "./run-batch.ts";
import type { Lexer } from "./wrong-lexers.ts";

/** A script that a shell sees otherwise than the lexer. */
export interface Disagreement extends Accepted {
  readonly seen: readonly Seen[];
}

/** What came of one shell. */
export interface DialectReport {
  readonly dialect: Dialect;
  compared: number;
  /** Scripts with a name that cannot be recorded there. */
  unreached: number;
  readonly disagreements: Disagreement[];
}

export interface FuzzReport {
  tried: number;
  accepted: number;
  readonly dialects: readonly DialectReport[];
}

export interface FuzzPlan {
  readonly count: number;
  readonly seed: number;
  readonly lexer: Lexer;
  /** Those installed. */
  readonly dialects: readonly Dialect[];
  readonly onProgress?: (tried: number) => void;
  /** Ends with the first batch in which a shell disagrees. */
  readonly stopAtFailure?: boolean;
}

/** Generates scripts, and has every shell run those the lexer accepts. The same seed tries the same scripts. */
export async function fuzzLexer({
  count,
  seed,
  lexer,
  dialects,
  onProgress,
  stopAtFailure,
}: FuzzPlan): Promise<FuzzReport> {
  const random = SeededRandom.of(seed, 0);
  const report: FuzzReport = {
    tried: 0,
    accepted: 0,
    dialects: dialects.map((dialect) => ({ dialect, compared: 0, unreached: 0, disagreements: [] })),
  };
  while (report.tried < count) {
    const size = Math.min(batchSize, count - report.tried);
    const scripts = Array.from({ length: size }, () => generateScript(random));
    const accepted = scripts.flatMap((script) => acceptedBy(lexer, script));
    await Promise.all(report.dialects.map(async (part) => await compareBatch(part, accepted)));
    report.tried += size;
    report.accepted += accepted.length;
    onProgress?.(report.tried);
    if (stopAtFailure === true && report.dialects.some((part) => part.disagreements.length > 0)) break;
  }
  return report;
}

/** The script with what the lexer reads in it; empty when it declines. */
export function acceptedBy(lexer: Lexer, script: string): readonly Accepted[] {
  const lexed = lexer(script);
  return lexed.type === "plain" ? [{ script, commands: lexed.commands }] : [];
}

/** Those of the scripts that the shell sees otherwise. */
export async function disagreementsOf(
  dialect: Dialect,
  scripts: readonly Accepted[],
): Promise<readonly Disagreement[]> {
  const jobs = scripts.map((accepted) => jobsOf(accepted, dialect));
  const seen = await runBatch(dialect, jobs.flat());
  let next = 0;
  return scripts.flatMap((accepted, index) => {
    const runs = seen.slice(next, next + (jobs[index]?.length ?? 0));
    next += runs.length;
    return agrees(accepted, runs) ? [] : [{ ...accepted, seen: runs }];
  });
}

async function compareBatch(part: DialectReport, accepted: readonly Accepted[]): Promise<void> {
  const comparable = accepted.filter((one) => isComparable(one, part.dialect));
  part.unreached += accepted.length - comparable.length;
  part.compared += comparable.length;
  part.disagreements.push(...(await disagreementsOf(part.dialect, comparable)));
}
