import type { Situation } from "@capstan/policy";
import type { SessionStore } from "@capstan/ports";
import type {
  Action,
  Grant,
  JournalRecord,
  Judgement,
  SessionConfig,
  SessionEvent,
  SessionId,
  Workspace,
} from "@capstan/protocol";

/** A decision as it was journaled, with all that it was made under. */
export interface RecordedDecision {
  readonly sessionId: SessionId;
  /** ms since 1970. */
  readonly at: number;
  readonly action: Action;
  readonly judgement: Judgement;
  readonly situation: Situation;
  /** What became of a question: a user said yes or no, or nobody answered. */
  readonly answer: "approved" | "refused" | "none" | null;
}

/** Events read at once: a journal may be larger than memory. */
const eventsPerPage = 500;

/**
 * Every decision about a call since a time, session by session. Calls of the session itself (questions, plans) are left out, and so
 * is what a copied session took over from its original.
 * @param since  ms since 1970
 */
export async function* recordedDecisions(store: SessionStore, since: number): AsyncGenerator<RecordedDecision> {
  for (const { id, updatedAt } of await store.list()) {
    if (updatedAt < since) continue;
    const reader = new DecisionReader(id, since);
    for (let after = 0; ;) {
      const events = await store.read(id, after, eventsPerPage);
      const last = events.at(-1);
      if (last === undefined || last.seq <= after) break;
      for (const event of events) yield* reader.take(event);
      after = last.seq;
    }
    yield* reader.left();
  }
}

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { type: Type }>;

/** Follows one journal, as far as decisions depend on it. */
class DecisionReader {
  readonly #sessionId: SessionId;
  readonly #since: number;
  #workspace: Workspace | undefined;
  #config: SessionConfig | undefined;
  #grants: readonly Grant[] = [];
  #frontend = "";
  /** Of a turn whose sender may only ask. */
  #turnMode: "plan" | undefined;
  #copiedUntil = 0;
  /** Asked, and not answered yet, by call. */
  readonly #open = new Map<string, RecordedDecision>();
  /** The call an interaction is about. */
  readonly #callOf = new Map<string, string>();

  constructor(sessionId: SessionId, since: number) {
    this.#sessionId = sessionId;
    this.#since = since;
  }

  take(event: SessionEvent): readonly RecordedDecision[] {
    const { record } = event;
    switch (record.type) {
      case "session-started":
        this.#workspace = record.workspace;
        this.#copiedUntil = record.forkedFrom?.seq ?? 0;
        return [];
      case "session-configured":
        this.#config = record.config;
        return [];
      case "grant-added":
        this.#grants = [...this.#grants, record.grant];
        return [];
      case "turn-started":
        this.#frontend = record.origin.frontend;
        this.#turnMode = record.mode;
        return [];
      case "tool-decided":
        return this.#decided(event, record);
      case "interaction-opened":
        if (record.interaction.request.type === "approval")
          this.#callOf.set(record.interaction.id, record.interaction.request.callId);
        return [];
      case "interaction-resolved":
        return this.#answered(record);
      case "tool-finished":
        return this.#settle(
          record.callId,
          record.outcome.type === "denied" && record.outcome.by === "user" ? "refused" : "none",
        );
      default:
        return [];
    }
  }

  /** Questions that nobody has answered. */
  left(): readonly RecordedDecision[] {
    return [...this.#open.values()].map((decision) => ({ ...decision, answer: "none" }));
  }

  #decided({ seq, at }: SessionEvent, { callId, action, judgement }: Of<"tool-decided">): readonly RecordedDecision[] {
    const situation = this.#situation(at);
    if (situation === undefined || at < this.#since || seq <= this.#copiedUntil || action.session !== undefined)
      return [];
    const decision = { sessionId: this.#sessionId, at, action, judgement, situation, answer: null };
    if (judgement.verdict !== "ask") return [decision];
    this.#open.set(callId, decision);
    return [];
  }

  #situation(at: number): Situation | undefined {
    if (this.#workspace === undefined || this.#config === undefined) return undefined;
    const { policy, mode, sandbox } = this.#config;
    const rules = [...policy.rules, ...this.#grants.map(({ rule }) => rule)];
    return {
      policy: { ...policy, rules },
      mode: this.#turnMode ?? mode,
      workspace: this.#workspace,
      sandbox,
      frontend: this.#frontend,
      now: at,
    };
  }

  #answered({ interactionId, answer }: Of<"interaction-resolved">): readonly RecordedDecision[] {
    const callId = this.#callOf.get(interactionId);
    if (callId === undefined) return [];
    this.#callOf.delete(interactionId);
    if (answer.type === "approve") return this.#settle(callId, "approved");
    return this.#settle(callId, answer.type === "deny" ? "refused" : "none");
  }

  #settle(callId: string, answer: "approved" | "refused" | "none"): readonly RecordedDecision[] {
    const decision = this.#open.get(callId);
    this.#open.delete(callId);
    return decision === undefined ? [] : [{ ...decision, answer }];
  }
}
