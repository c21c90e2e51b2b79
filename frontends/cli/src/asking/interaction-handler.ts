import type { Interaction, InteractionAnswer, SessionHandle } from "@capstan/protocol";
import { askInline } from "./ask-inline.ts";
import type { AskHooks, AskTerminal, OnAsk } from "./on-ask.ts";

/** Handles what waits for a user in a session, as the run was configured. */
export class InteractionHandler {
  readonly #session: SessionHandle;
  readonly #onAsk: OnAsk;
  readonly #hooks: AskHooks;
  readonly #announced = new Set<string>();
  #limit: NodeJS.Timeout | undefined;
  #asking: { readonly id: string; readonly controller: AbortController } | undefined;
  #isStopped = false;

  constructor(session: SessionHandle, onAsk: OnAsk, hooks: AskHooks) {
    this.#session = session;
    this.#onAsk = onAsk;
    this.#hooks = hooks;
  }

  /** To be called when something may have begun to wait, or ceased to. */
  look(): void {
    if (this.#isStopped || this.#onAsk.type === "deny") return;
    const { pending } = this.#session.snapshot();
    switch (this.#onAsk.type) {
      case "park":
        if (pending.length > 0) this.#hooks.parked();
        return;
      case "wait":
        return this.#wait(pending, this.#onAsk.limitMs);
      case "inline":
        return this.#ask(pending, this.#onAsk.terminal);
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#limit);
    this.#asking?.controller.abort();
  }

  #wait(pending: readonly Interaction[], limitMs: number): void {
    for (const interaction of pending) {
      if (this.#announced.has(interaction.id)) continue;
      this.#announced.add(interaction.id);
      this.#hooks.waiting(interaction);
    }
    // What expires ends by itself; what does not is left to whoever resumes the session.
    const isEndless = pending.some(({ expiresAt }) => expiresAt === null);
    if (!isEndless) {
      clearTimeout(this.#limit);
      this.#limit = undefined;
    } else this.#limit ??= setTimeout(() => this.#hooks.parked(), limitMs);
  }

  /** One after the other; an answer from elsewhere closes the prompt. */
  #ask(pending: readonly Interaction[], terminal: AskTerminal): void {
    const current = this.#asking;
    if (current !== undefined) {
      if (!pending.some(({ id }) => id === current.id)) current.controller.abort();
      return;
    }
    const [next] = pending;
    if (next === undefined) return;
    const controller = new AbortController();
    this.#asking = { id: next.id, controller };
    void this.#askOne(next, terminal, controller.signal);
  }

  async #askOne(interaction: Interaction, terminal: AskTerminal, signal: AbortSignal): Promise<void> {
    try {
      const answer = await askInline(interaction, terminal, signal);
      if (this.#isStopped) return;
      if (answer !== null) await this.#submit(interaction, answer, terminal);
      // Nobody is there any more: that is no answer, neither yes nor no.
      else if (!signal.aborted) return this.#hooks.parked();
      this.#asking = undefined;
      this.look();
    } catch (error) {
      this.#hooks.failed(error);
    }
  }

  async #submit({ id }: Interaction, answer: InteractionAnswer, terminal: AskTerminal): Promise<void> {
    await this.#session.submit({ type: "answer", interactionId: id, answer });
    if (!this.#session.snapshot().pending.some((still) => still.id === id)) return;
    terminal.show([{ tone: "warning", text: "That answer did not count. It is asked again." }]);
  }
}
