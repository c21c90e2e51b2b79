import type {
  InteractionEnd,
  JournalRecord,
  RuleSource,
  RuleVerdict,
  SessionEvent,
  SessionId,
} from "@capstan/protocol";

/** How often calls were allowed, asked about and denied, by whose word, over sessions. */
export interface DecisionReport {
  /** Sessions with at least one decision. */
  readonly sessions: number;
  readonly verdicts: VerdictCounts;
  /** How questions ended: `approve`, `deny`, `reply`, `expired`, `void`, … */
  readonly answers: Readonly<Record<string, number>>;
  /** The same, by who answered: a user, or the frontend where no user is known. */
  readonly answerers: readonly { readonly name: string; readonly answers: number; readonly approvals: number }[];
  /** Calls that nobody could be asked about. */
  readonly unattended: number;
  /** Approvals that were remembered. */
  readonly remembered: number;
  readonly tools: readonly ({ readonly tool: string } & VerdictCounts)[];
  /** Rules that decided, the most used first; a call that no rule spoke of was decided by the mode. */
  readonly rules: readonly RuleCount[];
}

export type VerdictCounts = Readonly<Record<RuleVerdict, number>>;

export interface RuleCount {
  readonly rule: string;
  readonly source: RuleSource;
  readonly verdict: RuleVerdict;
  readonly count: number;
}

/** Adds sessions up, one event after the other: no journal need be held whole. */
export class DecisionCounts {
  readonly #sessions = new Set<SessionId>();
  readonly #verdicts = noVerdicts();
  readonly #answers = new Map<string, number>();
  readonly #answerers = new Map<string, { answers: number; approvals: number }>();
  readonly #tools = new Map<string, Record<RuleVerdict, number>>();
  readonly #rules = new Map<string, RuleCount>();
  #unattended = 0;
  #remembered = 0;

  /** @param sinceMs  what happened before is not counted */
  add(sessionId: SessionId, { at, record }: SessionEvent, sinceMs: number): void {
    if (at < sinceMs) return;
    switch (record.type) {
      case "tool-decided":
        this.#sessions.add(sessionId);
        return this.#decided(record);
      case "interaction-resolved":
        return this.#answered(record);
      case "tool-finished":
        if (record.outcome.type === "denied" && record.outcome.by === "unattended") this.#unattended += 1;
        return;
      case "grant-added":
        this.#remembered += 1;
        return;
      default:
        return;
    }
  }

  report(): DecisionReport {
    return {
      sessions: this.#sessions.size,
      verdicts: this.#verdicts,
      answers: Object.fromEntries([...this.#answers].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      answerers: [...this.#answerers]
        .map(([name, counts]) => ({ name, ...counts }))
        .toSorted((a, b) => b.answers - a.answers || (a.name < b.name ? -1 : 1)),
      unattended: this.#unattended,
      remembered: this.#remembered,
      tools: [...this.#tools]
        .map(([tool, counts]) => ({ tool, ...counts }))
        .toSorted((a, b) => (a.tool < b.tool ? -1 : 1)),
      rules: [...this.#rules.values()]
        .toSorted((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1))
        .slice(0, maxReportedRules),
    };
  }

  #decided({ action, judgement }: Extract<JournalRecord, { type: "tool-decided" }>): void {
    const { verdict, rule } = judgement;
    this.#verdicts[verdict] += 1;
    const counts = this.#tools.get(action.tool) ?? noVerdicts();
    counts[verdict] += 1;
    this.#tools.set(action.tool, counts);
    if (rule === undefined) return;
    const key = `${rule.source} ${verdict} ${rule.text}`;
    const count = (this.#rules.get(key)?.count ?? 0) + 1;
    this.#rules.set(key, { rule: rule.text, source: rule.source, verdict, count });
  }

  #answered({ answer, origin }: Extract<JournalRecord, { type: "interaction-resolved" }>): void {
    this.#answers.set(answer.type, (this.#answers.get(answer.type) ?? 0) + 1);
    if (isByNobody(answer)) return;
    const name = origin.user ?? origin.frontend;
    const { answers, approvals } = this.#answerers.get(name) ?? { answers: 0, approvals: 0 };
    this.#answerers.set(name, { answers: answers + 1, approvals: approvals + (answer.type === "approve" ? 1 : 0) });
  }
}

function isByNobody({ type }: InteractionEnd): boolean {
  return type === "expired" || type === "void";
}

function noVerdicts(): Record<RuleVerdict, number> {
  return { allow: 0, ask: 0, deny: 0 };
}

/** Rules that a report names. */
const maxReportedRules = 50;
