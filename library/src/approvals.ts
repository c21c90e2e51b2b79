import { type Interaction, messageOf, type RefusalCode, type SessionClient } from "@capstan/protocol";
import type { ApprovalCallback } from "./engine-options.ts";

const noMistakes: ReadonlySet<RefusalCode> = new Set(["interaction.settled", "session.closed"]);

/** Hands what waits in a session to the program's callback, each interaction once, and submits what it answers. */
export class Approvals {
  readonly #client: SessionClient;
  readonly #callback: ApprovalCallback;
  readonly #report: (error: unknown) => void;
  readonly #open = new Map<Interaction["id"], AbortController>();

  constructor(client: SessionClient, callback: ApprovalCallback, report: (error: unknown) => void) {
    this.#client = client;
    this.#callback = callback;
    this.#report = report;
  }

  /** @returns when the session is closed; never throws */
  async run(): Promise<void> {
    try {
      const { seq, pending } = await this.#client.snapshot();
      for (const interaction of pending) this.#ask(interaction);
      for await (const frame of this.#client.attach(seq)) {
        if (frame.type !== "record") continue;
        const { record } = frame.event;
        if (record.type === "interaction-opened") this.#ask(record.interaction);
        if (record.type === "interaction-resolved") this.#settle(record.interactionId);
      }
    } catch (error) {
      this.#report(error);
    } finally {
      for (const id of this.#open.keys()) this.#settle(id);
    }
  }

  #ask(interaction: Interaction): void {
    const controller = new AbortController();
    this.#open.set(interaction.id, controller);
    this.#answer(interaction, controller.signal).catch(this.#report);
  }

  async #answer(interaction: Interaction, signal: AbortSignal): Promise<void> {
    const answer = await this.#callback(interaction, { sessionId: this.#client.id, signal });
    if (answer === undefined || signal.aborted) return;
    const receipt = await this.#client.submit({ type: "answer", interactionId: interaction.id, answer });
    // Somebody else was first, or the session was closed meanwhile: neither is a mistake of the program.
    if (receipt.type === "accepted" || noMistakes.has(receipt.code) || signal.aborted) return;
    throw new Error(`the answer to ${interaction.id} was refused (${receipt.code}): ${receipt.reason}`);
  }

  #settle(id: Interaction["id"]): void {
    this.#open.get(id)?.abort();
    this.#open.delete(id);
  }
}

/** Mistakes go to standard error where the program does not receive them. */
export function reportOnStandardError(error: unknown): void {
  process.stderr.write(`capstan: ${messageOf(error)}\n`);
}
