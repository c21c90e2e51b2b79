import { AgentQuestions } from "@capstan/client";
import type { Interaction, InteractionAnswer, JournalRecord, Receipt, SessionClient, TurnId } from "@capstan/protocol";
import { InteractionHandler } from "../asking/interaction-handler.ts";
import type { SessionProgress } from "./session-progress.ts";
import type { TurnRequest, TurnView } from "./turn-request.ts";

export interface QuestionsOf {
  readonly request: TurnRequest;
  readonly session: SessionClient;
  readonly view: TurnView;
  readonly progress: SessionProgress;
}

export interface QuestionHooks {
  /** Something of an agent's waits, or has ceased to. */
  changed(): void;
  /** Nothing more happens until somebody answers, and this run does not wait for it. */
  parked(): void;
  failed(error: unknown): void;
}

/** What waits for a user in a session and in those of its agents, seen to in the way that the run was informed. */
export class SessionQuestions {
  readonly #of: QuestionsOf;
  readonly #interactions: InteractionHandler;
  readonly #agents: AgentQuestions;

  constructor(of: QuestionsOf, hooks: QuestionHooks) {
    this.#of = of;
    const { request, session, view } = of;
    this.#agents = new AgentQuestions(request.client.interactions, session.id, hooks);
    const taker = {
      identity: session.identity,
      answer: (id: Interaction["id"], given: InteractionAnswer) => this.#answer(id, given),
    };
    this.#interactions = new InteractionHandler(taker, request.onAsk ?? { type: "deny" }, {
      waiting: (interaction) => view.waiting?.(interaction),
      answering: (ids) => view.answering?.(ids),
      allSeen: () => this.allSeen(),
      parked: () => hooks.parked(),
      failed: (error) => hooks.failed(error),
    });
  }

  /** A record of the session. */
  take(record: JournalRecord): void {
    this.#agents.take(record);
  }

  /** In a session of another process only what this turn asks for is this run's matter. */
  attend(turnId: TurnId): void {
    const { isHere } = this.#of.progress;
    this.#interactions.look(this.waiting(isHere ? undefined : turnId), isHere);
  }

  /** What waits in the session, or in one turn of it, and in the sessions of its agents. */
  waiting(turnId?: TurnId): readonly Interaction[] {
    return [...this.#of.progress.waiting(turnId), ...this.#agents.pending];
  }

  /** Resolves when everything that was asked until now was seen: the calls of a step are asked about together. */
  async allSeen(): Promise<void> {
    await this.#of.progress.reached((await this.#of.session.snapshot()).seq);
  }

  stop(): void {
    this.#interactions.stop();
    this.#agents.stop();
  }

  async #answer(interactionId: Interaction["id"], answer: InteractionAnswer): Promise<Receipt> {
    const { request, session } = this.#of;
    const entry = this.#agents.find(interactionId);
    if (entry === undefined) return await session.submit({ type: "answer", interactionId, answer });
    const place = { sessionId: entry.sessionId, interactionId };
    return await request.client.interactions.answer(place, answer, session.identity);
  }
}
