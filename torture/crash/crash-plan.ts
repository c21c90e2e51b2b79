import type { SeededRandom } from "@capstan/testkit";
import { tracedCalls } from "../limits.ts";

/** When a process is killed. */
export type CrashPlan =
  /** `share` of the time that the script takes when nobody harms it. */
  | { readonly type: "time"; readonly share: number }
  /** When so many lines stand on standard output. */
  | { readonly type: "line"; readonly count: number }
  /** When so many requests have reached the server, and a little later: before, in the middle of, or after the answer. */
  | { readonly type: "request"; readonly count: number; readonly delayMs: number }
  /** When the effect log has so many lines. */
  | { readonly type: "effect"; readonly count: number }
  /** At the entrance of the n-th system call of these, in one thread: between any two writes to the disk. */
  | { readonly type: "syscall"; readonly calls: string; readonly count: number }
  /** Something else than a kill happens, when so many lines stand on standard output. */
  | { readonly type: "disturb"; readonly count: number; readonly act: () => void }
  | { readonly type: "never" };

/** Groups of system calls that change files: the journal's, and those of the tools' all-or-nothing commits. */
const callGroups: readonly string[] = [
  "pwrite64,fsync,fdatasync",
  "rename,renameat,renameat2,link,linkat,unlink,unlinkat",
];

const longestDelayMs = 60;

/** What a plan must know of its script. */
export interface PlannedScript {
  /** Of an unharmed run. */
  readonly lines: number;
  readonly hasEffectLog: boolean;
}

/** The kinds come up about equally often. */
export function planCrash(random: SeededRandom, { lines, hasEffectLog }: PlannedScript, canTrace: boolean): CrashPlan {
  const kind = random.below(canTrace ? 5 : 4);
  switch (kind === 3 && !hasEffectLog ? 1 : kind) {
    case 0:
      return { type: "time", share: random.fraction() };
    case 1:
      return { type: "line", count: 1 + random.below(lines) };
    case 2:
      return { type: "request", count: 1 + random.below(4), delayMs: random.below(longestDelayMs) };
    case 3:
      return { type: "effect", count: 1 + random.below(3) };
    default:
      return random.happens(0.7)
        ? { type: "syscall", calls: callGroups[0] ?? "", count: 1 + random.below(tracedCalls) }
        : { type: "syscall", calls: callGroups[1] ?? "", count: 1 + random.below(8) };
  }
}

export function describePlan(plan: CrashPlan): string {
  switch (plan.type) {
    case "time":
      return `at ${(plan.share * 100).toFixed(0)} % of the time`;
    case "line":
      return `at line ${plan.count}`;
    case "request":
      return `${plan.delayMs} ms after request ${plan.count}`;
    case "effect":
      return `at effect ${plan.count}`;
    case "syscall":
      return `at call ${plan.count} of ${plan.calls}`;
    case "disturb":
      return `not, but disturbed at line ${plan.count}`;
    case "never":
      return "never";
  }
}
