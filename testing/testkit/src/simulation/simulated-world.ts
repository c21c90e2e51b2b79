import type { Finding, SettleEvidence } from "@capstan/protocol";
import type { SentAnswer } from "../invariants/check-answers.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { proofs } from "./weights.ts";

/** One run of an effectful call, as the world saw it. */
export interface WorldRun {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  /** Whether a later look can see that it ended. A file's content always can; a command's status file may be lost. */
  readonly provable: boolean;
  stage: "begun" | "acted" | "ended";
  /** A look found that it had not happened: from then on it cannot. */
  void: boolean;
}

/** What lies outside of every process and outlives them all: effects, and chance. */
export class SimulatedWorld {
  readonly random: SeededRandom;
  /** Nothing goes wrong any more, and the model only talks. */
  calm = false;
  /** What the clocks of its processes have come to, and of the time between them. */
  elapsedMs = 0;
  /** Every answer that somebody sent from elsewhere, by its id. */
  readonly sent: Map<string, SentAnswer> = new Map();
  /** Those whose sender has no receipt, and sends them again to whoever has the session next. */
  readonly unsettled: Set<SentAnswer> = new Set();
  /** Calls the model has made. */
  calls = 0;
  /** What was seen to be wrong while it happened. */
  readonly violations: string[] = [];
  readonly #runs = new Map<string, WorldRun>();
  readonly #times = new Map<string, number>();
  #ids = 0;
  #amid = false;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  /** A name that occurs once in this world. */
  name(kind: string): string {
    this.#ids += 1;
    return `${kind}${this.#ids}`;
  }

  /** How often the effect of a call took place. */
  times(callId: string): number {
    return this.#times.get(callId) ?? 0;
  }

  /** Every call that had an effect. */
  touched(): readonly string[] {
    return [...this.#times.keys()];
  }

  /** Whether some effect has taken place whose run has not ended: the moment in which a crash leaves most behind. */
  get isAmidEffect(): boolean {
    return this.#amid;
  }

  begin(callId: string, tool: string, { runId = this.name("run") }: SettleEvidence): WorldRun {
    const provable = tool === "change" || this.random.weighted(proofs);
    const run: WorldRun = { runId, callId, tool, provable, stage: "begun", void: false };
    this.#runs.set(runId, run);
    return run;
  }

  act(run: WorldRun): void {
    run.stage = "acted";
    this.#amid = true;
    this.#times.set(run.callId, this.times(run.callId) + 1);
  }

  end(run: WorldRun): void {
    run.stage = "ended";
    this.#amid = false;
  }

  /** The truth about a run, as far as it can be proved; it changes nothing, but what has not happened never will. */
  probe({ runId }: SettleEvidence): Finding {
    this.#amid = false;
    const run = runId === undefined ? undefined : this.#runs.get(runId);
    if (run === undefined) return { type: "untouched", text: "It never began." };
    if (run.stage === "begun") {
      run.void = true;
      return { type: "untouched", text: "It began, and nothing of it has happened." };
    }
    const isProved = run.provable && (run.stage === "ended" || run.tool === "change");
    if (!isProved) return { type: "in-doubt", text: "It may have happened." };
    return { type: "ended", outcome: { type: "done", content: `${run.tool} was done` }, changes: [], observed: [] };
  }
}
