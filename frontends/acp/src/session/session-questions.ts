import {
  type EngineClient,
  includesRole,
  type Interaction,
  type InteractionAnswer,
  type JournalRecord,
  type Receipt,
  type SessionClient,
} from "@capstan/protocol";
import { AgentQuestions } from "@capstan/client";
import type { AskedIn } from "../asking/permission.ts";
import { Questions } from "../asking/questions.ts";
import type { RpcPeer } from "../peer/rpc-peer.ts";

export interface QuestionParts {
  readonly peer: RpcPeer;
  readonly client: SessionClient;
  readonly engine: EngineClient;
  readonly place: AskedIn;
  readonly forms: boolean;
  /** The client gave no answer because it cancels what it asked for. */
  readonly cancelled: () => void;
  /** An answer did not count. */
  readonly refused: (reason: string) => void;
}

/** What waits for a user in a session and in those of its agents. From `begin` on it is asked in the editor. */
export class SessionQuestions {
  readonly #parts: QuestionParts;
  readonly #questions: Questions;
  readonly #agents: AgentQuestions;
  readonly #pending = new Map<string, Interaction>();
  #agentsAsking: readonly Interaction[] = [];
  #isAsking = false;

  constructor(parts: QuestionParts) {
    const { peer, client, engine, place, forms, refused } = parts;
    this.#parts = parts;
    this.#questions = new Questions({
      peer,
      place,
      forms,
      answer: (interaction, answer) => this.#answer(interaction, answer),
      // What is not of this session is not of a turn that this client began.
      cancelled: ({ id }) => (this.#pending.has(id) ? parts.cancelled() : undefined),
      refused,
    });
    this.#agents = new AgentQuestions(engine.interactions, client.id, {
      changed: () => this.#askAgents(),
      failed: () => undefined,
    });
  }

  /** @param isBusy  a turn is open, in which agents may be at work */
  begin(isBusy: boolean): void {
    this.#isAsking = true;
    for (const interaction of this.#pending.values()) this.#ask(interaction);
    if (isBusy) this.#agents.begin();
  }

  take(record: JournalRecord): void {
    if (record.type === "interaction-opened") {
      this.#pending.set(record.interaction.id, record.interaction);
      if (this.#isAsking) this.#ask(record.interaction);
    } else if (record.type === "interaction-resolved") {
      this.#pending.delete(record.interactionId);
      this.#questions.settled(record.interactionId);
    }
    if (this.#isAsking) this.#agents.take(record);
  }

  close(): void {
    this.#agents.stop();
    this.#questions.close();
  }

  /** Only who may answer is asked. */
  #ask(interaction: Interaction): void {
    const { role, user } = this.#parts.client.identity;
    const { answerers } = interaction;
    if (!includesRole(role, "approve")) return;
    if (answerers.length > 0 && (user === undefined || !answerers.includes(user))) return;
    this.#questions.ask(interaction);
  }

  #askAgents(): void {
    const asking = this.#agents.pending;
    for (const { id } of this.#agentsAsking) if (!asking.some((now) => now.id === id)) this.#questions.settled(id);
    this.#agentsAsking = asking;
    for (const interaction of asking) this.#ask(interaction);
  }

  async #answer({ id: interactionId }: Interaction, answer: InteractionAnswer): Promise<Receipt> {
    const { client, engine } = this.#parts;
    const elsewhere = this.#agents.find(interactionId);
    if (elsewhere === undefined) return await client.submit({ type: "answer", interactionId, answer });
    return await engine.interactions.answer({ sessionId: elsewhere.sessionId, interactionId }, answer, client.identity);
  }
}
