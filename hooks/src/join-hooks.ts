import type { HookReport, HookRequest, HookRunner } from "@capstan/ports";
import type { HookAnswer, HookEntry, HookOutcome } from "@capstan/protocol";

/** Hooks with whoever runs them. */
export interface RunHooks {
  readonly entries: readonly HookEntry[];
  readonly runner: HookRunner;
}

/** Hooks of several kinds as one: those of one event run in the order of their kinds. @returns `null` where there are none */
export function joinHooks(kinds: readonly (RunHooks | null)[]): RunHooks | null {
  const all = kinds.filter((kind): kind is RunHooks => kind !== null && kind.entries.length > 0);
  const [only] = all;
  if (only === undefined || all.length === 1) return only ?? null;
  return { entries: all.flatMap(({ entries }) => entries), runner: new JoinedHooks(all) };
}

class JoinedHooks implements HookRunner {
  readonly #kinds: readonly RunHooks[];

  constructor(kinds: readonly RunHooks[]) {
    this.#kinds = kinds;
  }

  async run(request: HookRequest, signal: AbortSignal): Promise<HookReport> {
    let report: HookReport = { outcomes: [], answer: {} };
    for (const { entries, runner } of this.#kinds) {
      const ids = new Set(entries.map(({ id }) => id));
      const own = request.entries.filter(({ id }) => ids.has(id));
      if (own.length === 0) continue;
      const next = isOver(report.answer)
        ? skipped(own)
        : await runner.run(withAnswer(request, own, report.answer), signal);
      report = { outcomes: [...report.outcomes, ...next.outcomes], answer: joined(report.answer, next.answer) };
    }
    return report;
  }
}

/** After a refusal none is asked. */
function isOver({ verdict, block, stop }: HookAnswer): boolean {
  return verdict?.verdict === "deny" || block !== undefined || stop !== undefined;
}

function skipped(entries: readonly HookEntry[]): HookReport {
  const outcomes = entries.map(({ id, name, by }): HookOutcome => ({ id, name, by, result: "skipped", durationMs: 0 }));
  return { outcomes, answer: {} };
}

/** Each sees what those before it changed. */
function withAnswer(request: HookRequest, entries: readonly HookEntry[], { arguments: args }: HookAnswer): HookRequest {
  return { ...request, entries, facts: args === undefined ? request.facts : { ...request.facts, arguments: args } };
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

function joined(one: HookAnswer, other: HookAnswer): HookAnswer {
  const context = [...(one.context ?? []), ...(other.context ?? [])];
  const verdict =
    one.verdict !== undefined && other.verdict !== undefined
      ? strictness[other.verdict.verdict] > strictness[one.verdict.verdict]
        ? other.verdict
        : one.verdict
      : (one.verdict ?? other.verdict);
  return {
    ...one,
    ...other,
    ...(context.length === 0 ? {} : { context }),
    ...(verdict === undefined ? {} : { verdict }),
  };
}
