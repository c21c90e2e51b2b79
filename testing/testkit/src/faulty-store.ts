import type { SessionStore } from "@capstan/ports";
import { AppError } from "@capstan/protocol";

/** An append that fails. */
export interface AppendFault {
  /** Which append of this store fails, from 1. */
  readonly append: number;
  /** `before`: nothing of it is stored; `after`: it is stored, and its writer is notified that it failed. */
  readonly when: "before" | "after";
  readonly code: "storage.full" | "storage.failed" | "session.busy";
  /** Every later append fails `before`, too, until `repair`. */
  readonly isSticky: boolean;
}

/** What goes wrong, as data: the same plan fails in the same places every time. */
export interface FaultPlan {
  readonly faults: readonly AppendFault[];
  /** From which call on the process is dead, counting calls of every method from 1; `after`: that call still took effect. */
  readonly kill?: { readonly call: number; readonly when: "before" | "after" };
}

/** A store under which things go wrong. What is stored stays in the store it wraps, for the next process. */
export interface FaultyStore extends SessionStore {
  /** Calls so far, of every method. */
  readonly calls: number;
  readonly appends: number;
  readonly isDead: boolean;
  /** Faults that have struck, in order: a plan that never strikes proves nothing. */
  readonly struck: readonly AppendFault[];
  /** The cause of a sticky fault is gone. */
  repair(): void;
}

/**
 * @param store  stays open, whoever dies; `close` closes it only while the process lives
 */
export function faultyStore(store: SessionStore, plan: FaultPlan): FaultyStore {
  const life = new Life(plan);
  return {
    get calls() {
      return life.calls;
    },
    get appends() {
      return life.appends;
    },
    get isDead() {
      return life.isDead;
    },
    get struck() {
      return life.struck;
    },
    repair: () => life.repair(),
    append: async (...asked) => life.call(async () => life.append(async () => store.append(...asked))),
    read: async (...asked) => life.call(async () => store.read(...asked)),
    grants: {
      add: async (grant) => life.call(async () => store.grants.add(grant)),
      list: async () => life.call(async () => store.grants.list()),
      remove: async (id) => life.call(async () => store.grants.remove(id)),
    },
    list: async () => life.call(async () => store.list()),
    findIds: async (...asked) => life.call(async () => store.findIds(...asked)),
    claim: async (...asked) => life.call(async () => store.claim(...asked)),
    renew: async (...asked) => life.call(async () => store.renew(...asked)),
    release: async (...asked) => life.call(async () => store.release(...asked)),
    holder: async (...asked) => life.call(async () => store.holder(...asked)),
    saveState: async (...asked) => life.call(async () => store.saveState(...asked)),
    loadState: async (...asked) => life.call(async () => store.loadState(...asked)),
    readChained: async (...asked) => life.call(async () => store.readChained(...asked)),
    check: async (...asked) => life.call(async () => store.check(...asked)),
    restore: async (...asked) => life.call(async () => store.restore(...asked)),
    delete: async (...asked) => life.call(async () => store.delete(...asked)),
    readBefore: async (...asked) => life.call(async () => store.readBefore(...asked)),
    changedSince: async (...asked) => life.call(async () => store.changedSince(...asked)),
    saveDraft: async (...asked) => life.call(async () => store.saveDraft(...asked)),
    draft: async (...asked) => life.call(async () => store.draft(...asked)),
    pendingInteractions: async () => life.call(async () => store.pendingInteractions()),
    close: async () => life.call(async () => store.close()),
  };
}

class Life {
  readonly #plan: FaultPlan;
  readonly struck: AppendFault[] = [];
  calls = 0;
  appends = 0;
  isDead = false;
  #lasting: AppendFault | undefined;

  constructor(plan: FaultPlan) {
    this.#plan = plan;
  }

  /** Every call answers so when the process is dead, because a promise that never settles would keep a test waiting. */
  async call<Result>(work: () => Promise<Result>): Promise<Result> {
    this.calls += 1;
    const { kill } = this.#plan;
    const isLast = kill !== undefined && this.calls === kill.call;
    if (this.isDead || (isLast && kill.when === "before")) {
      this.isDead = true;
      throw killed();
    }
    this.isDead = isLast;
    if (!isLast) return work();
    await work();
    throw killed();
  }

  async append<Result>(work: () => Promise<Result>): Promise<Result> {
    this.appends += 1;
    const fault = this.#lasting ?? this.#plan.faults.find(({ append }) => append === this.appends);
    if (fault === undefined) return work();
    this.struck.push(fault);
    const isStored = fault.when === "after" && this.#lasting === undefined;
    if (fault.isSticky) this.#lasting = fault;
    if (isStored) await work();
    throw new AppError(fault.code, `append ${this.appends} failed as planned`, { hint: "This is a test." });
  }

  repair(): void {
    this.#lasting = undefined;
  }
}

function killed(): AppError {
  return new AppError("storage.unavailable", "the process was killed as planned");
}
