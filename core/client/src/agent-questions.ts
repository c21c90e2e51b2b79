import type { InboxEntry, Interaction, InteractionsClient, JournalRecord, SessionId } from "@capstan/protocol";

/** What is notified. */
interface QuestionListeners {
  /** Something of an agent's waits, or has ceased to. */
  changed(): void;
  failed(error: unknown): void;
}

/**
 * What waits for a user in the sessions of a session's agents, and of theirs. The inbox is watched from the first agent's call on: whoever
 * calls none pays nothing.
 */
export class AgentQuestions {
  readonly #inbox: Pick<InteractionsClient, "watch">;
  readonly #root: SessionId;
  readonly #listeners: QuestionListeners;
  #entries: readonly InboxEntry[] = [];
  #pending: readonly Interaction[] = [];
  #watching: AsyncIterator<readonly InboxEntry[]> | undefined;
  #isStopped = false;

  constructor(inbox: Pick<InteractionsClient, "watch">, root: SessionId, listeners: QuestionListeners) {
    this.#inbox = inbox;
    this.#root = root;
    this.#listeners = listeners;
  }

  /** Oldest first; the reason of each approval says whose it is. */
  get pending(): readonly Interaction[] {
    return this.#pending;
  }

  /** Where it waits; `undefined`: in none of the agents' sessions. */
  find(id: string): InboxEntry | undefined {
    return this.#entries.find(({ interaction }) => interaction.id === id);
  }

  /** A record of the session. */
  take(record: JournalRecord): void {
    if (record.type !== "tool-decided" || record.action.effect !== "delegate" || this.#isStopped) return;
    this.begin();
  }

  /** For a session in which an agent may be at work already. */
  begin(): void {
    if (this.#watching !== undefined || this.#isStopped) return;
    this.#watching = this.#inbox.watch()[Symbol.asyncIterator]();
    this.#follow(this.#watching).catch((error: unknown) => {
      if (!this.#isStopped) this.#listeners.failed(error);
    });
  }

  stop(): void {
    this.#isStopped = true;
    void this.#watching?.return?.();
  }

  async #follow(watching: AsyncIterator<readonly InboxEntry[]>): Promise<void> {
    for (;;) {
      const step = await watching.next();
      if (step.done === true || this.#isStopped) return;
      const entries = step.value.filter(({ agent }) => agent?.callers.includes(this.#root) === true);
      if (entries.length === 0 && this.#entries.length === 0) continue;
      this.#entries = entries;
      this.#pending = entries.map(withName);
      this.#listeners.changed();
    }
  }
}

function withName({ interaction, agent }: InboxEntry): Interaction {
  const { request } = interaction;
  if (request.type !== "approval" || agent === undefined) return interaction;
  return { ...interaction, request: { ...request, reason: `The agent ${agent.name} asks. ${request.reason}` } };
}
