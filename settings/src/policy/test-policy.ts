import { judge, ruleApplies } from "@capstan/policy";
import type { SessionStore } from "@capstan/ports";
import type { Policy, Rule } from "@capstan/protocol";
import type { PolicyFile } from "./policy-file.ts";
import { type RecordedDecision, recordedDecisions } from "./recorded-decisions.ts";
import { placeOfRule } from "./rule-place.ts";

/** A call whose verdict would change. */
export interface ChangedCall {
  readonly sessionId: string;
  /** ISO. */
  readonly at: string;
  readonly summary: string;
  readonly before: string;
  readonly now: string;
  readonly reason: string;
}

/** What would become of recorded calls under other rules. Lists hold the first `maxSamples`; the counts are whole. */
export interface PolicyTest {
  readonly calls: number;
  readonly unchanged: number;
  /** Asked then and approved, allowed now. */
  readonly promptsSaved: number;
  /** Asked or refused by a user before, refused unasked now: nobody loses anything. */
  readonly questionsRefused: number;
  readonly newPrompts: Changed;
  /** Ran before (allowed, or a user agreed), denied now. */
  readonly nowDenied: Changed;
  /** Did not run before, would run now without a user. */
  readonly newRisk: Changed;
  /** Denied before, asked about now. */
  readonly denialsAsked: number;
  readonly neverMatched: readonly { readonly rule: string; readonly place: string }[];
}

interface Changed {
  readonly count: number;
  readonly samples: readonly ChangedCall[];
}

export interface PolicyTestOptions {
  /** ms since 1970. */
  readonly since: number;
  /** The file's rules stand in for the user's own, not beside them. */
  readonly replace: boolean;
  /** Called with the number of calls so far. */
  readonly onProgress: (calls: number) => void;
}

const maxSamples = 20;

/** Replays what the journals hold since a time under the recorded rules and those of a policy file. */
export async function testPolicy(
  store: SessionStore,
  file: PolicyFile,
  options: PolicyTestOptions,
): Promise<PolicyTest> {
  const tally = new Tally(file);
  for await (const decision of recordedDecisions(store, options.since)) {
    tally.add(decision, newPolicy(decision.situation.policy, file, options.replace));
    if (tally.calls % callsPerProgress === 0) options.onProgress(tally.calls);
  }
  return tally.report();
}

const callsPerProgress = 1000;

function newPolicy(recorded: Policy, file: PolicyFile, replace: boolean): Policy {
  const kept = replace ? recorded.rules.filter(({ source }) => staying.has(source)) : recorded.rules;
  return { ...recorded, approval: file.approval ?? recorded.approval, rules: [...kept, ...file.rules] };
}

/** What no file of the user's replaces. */
const staying: ReadonlySet<Rule["source"]> = new Set(["built-in", "managed", "project", "grant"]);

class List {
  count = 0;
  readonly samples: ChangedCall[] = [];

  add(call: ChangedCall): void {
    this.count += 1;
    if (this.samples.length < maxSamples) this.samples.push(call);
  }
}

class Tally {
  calls = 0;
  #unchanged = 0;
  #promptsSaved = 0;
  #questionsRefused = 0;
  #denialsAsked = 0;
  readonly #newPrompts = new List();
  readonly #nowDenied = new List();
  readonly #newRisk = new List();
  readonly #unmatched: Set<Rule>;

  constructor({ rules }: PolicyFile) {
    this.#unmatched = new Set(rules);
  }

  add(decision: RecordedDecision, policy: Policy): void {
    const { action, situation, judgement, answer } = decision;
    this.calls += 1;
    for (const rule of this.#unmatched)
      if (ruleApplies(rule, action, situation.workspace)) this.#unmatched.delete(rule);
    const judged = judge(action, { ...situation, policy });
    const call: ChangedCall = {
      sessionId: decision.sessionId,
      at: new Date(decision.at).toISOString(),
      summary: action.summary,
      before:
        answer === null ? judgement.verdict : `${judgement.verdict}, ${answer === "none" ? "not answered" : answer}`,
      now: judged.verdict,
      reason: judged.reason,
    };
    if (judged.verdict === judgement.verdict) this.#unchanged += 1;
    else if (judged.verdict === "allow") this.#allowed(call, answer === "approved");
    else if (judged.verdict === "deny") this.#denied(call, judgement.verdict === "allow" || answer === "approved");
    else if (judgement.verdict === "allow") this.#newPrompts.add(call);
    else this.#denialsAsked += 1;
  }

  #allowed(call: ChangedCall, wasApproved: boolean): void {
    if (wasApproved) this.#promptsSaved += 1;
    else this.#newRisk.add(call);
  }

  #denied(call: ChangedCall, hadRun: boolean): void {
    if (hadRun) this.#nowDenied.add(call);
    else this.#questionsRefused += 1;
  }

  report(): PolicyTest {
    return {
      calls: this.calls,
      unchanged: this.#unchanged,
      promptsSaved: this.#promptsSaved,
      questionsRefused: this.#questionsRefused,
      newPrompts: { count: this.#newPrompts.count, samples: this.#newPrompts.samples },
      nowDenied: { count: this.#nowDenied.count, samples: this.#nowDenied.samples },
      newRisk: { count: this.#newRisk.count, samples: this.#newRisk.samples },
      denialsAsked: this.#denialsAsked,
      neverMatched: [...this.#unmatched].map((rule) => ({ rule: rule.text, place: placeOfRule(rule) ?? rule.source })),
    };
  }
}
