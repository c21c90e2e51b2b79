import type { Interaction } from "@capstan/protocol";
import type { GivenAnswer } from "./medium.ts";

interface Asker {
  ask(interaction: Interaction, signal: AbortSignal): Promise<GivenAnswer | null>;
  given(interaction: Interaction, given: GivenAnswer): Promise<void>;
  /** Nobody of the program's answers one of them. */
  left(): void;
  failed(error: unknown): void;
}

/** Asks about everything that waits, each once, and takes the question back when it was answered elsewhere. */
export class Questions {
  readonly #asker: Asker;
  readonly #asked = new Map<string, AbortController>();
  readonly #unanswered = new Set<string>();
  #isStopped = false;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** Of those that wait, so many that the program gives no answer to. */
  get left(): number {
    return this.#unanswered.size;
  }

  look(pending: readonly Interaction[]): void {
    const open = new Set(pending.map(({ id }) => String(id)));
    for (const [id, controller] of this.#asked) {
      if (open.has(id)) continue;
      controller.abort();
      this.#asked.delete(id);
      this.#unanswered.delete(id);
    }
    if (this.#isStopped) return;
    for (const interaction of pending) if (!this.#asked.has(interaction.id)) this.#ask(interaction);
  }

  /** Nobody answers any more. */
  stop(): void {
    this.#isStopped = true;
    for (const controller of this.#asked.values()) controller.abort();
  }

  #ask(interaction: Interaction): void {
    const controller = new AbortController();
    this.#asked.set(interaction.id, controller);
    const answered = async (): Promise<void> => {
      const given = await this.#asker.ask(interaction, controller.signal);
      if (controller.signal.aborted) return;
      if (given !== null) return await this.#asker.given(interaction, given);
      this.#unanswered.add(interaction.id);
      this.#asker.left();
    };
    answered().catch((error: unknown) => this.#asker.failed(error));
  }
}
