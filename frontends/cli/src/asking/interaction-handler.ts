import type { Interaction, InteractionAnswer, Receipt, RefusalCode, SessionClient } from "@capstan/protocol";
import type { GivenAnswer } from "./ask.ts";
import type { AskHooks, AskTerminal, OnAsk } from "./on-ask.ts";

/** Who takes the answers: the session, or whoever else waits for one. */
export interface AnswerTaker {
  readonly identity: SessionClient["identity"];
  answer(id: Interaction["id"], answer: InteractionAnswer): Promise<Receipt>;
}

/** Sees to what waits for a user in a session, in the way that the run was informed. */
export class InteractionHandler {
  readonly #taker: AnswerTaker;
  readonly #onAsk: OnAsk;
  readonly #hooks: AskHooks;
  readonly #announced = new Set<string>();
  /** They were answered, and their end is on its way. */
  readonly #answered = new Set<string>();
  #pending: readonly Interaction[] = [];
  #limit: NodeJS.Timeout | undefined;
  #asking: { readonly ids: ReadonlySet<string>; readonly controller: AbortController } | undefined;
  #isStopped = false;

  constructor(taker: AnswerTaker, onAsk: OnAsk, hooks: AskHooks) {
    this.#taker = taker;
    this.#onAsk = onAsk;
    this.#hooks = hooks;
  }

  /**
   * To be called when something may have begun to wait, or ceased to.
   * @param isHere  this process writes to the session; where another one does, it alone denies
   */
  look(pending: readonly Interaction[], isHere = true): void {
    this.#pending = pending.filter(({ id }) => !this.#answered.has(id));
    if (this.#isStopped) return;
    switch (this.#onAsk.type) {
      case "deny":
        if (!isHere) this.#announce();
        return;
      case "park":
        return this.#park();
      case "wait":
        return this.#wait(this.#onAsk.limitMs);
      case "inline":
        return this.#ask(this.#onAsk.terminal);
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#limit);
    this.#asking?.controller.abort();
  }

  /** What a call asks while it runs cannot wait for another process: it is declined, and the call continues. */
  #park(): void {
    const asking = this.#pending.filter(({ request }) => request.type === "question" && request.asker !== undefined);
    for (const { id } of asking) {
      this.#answered.add(id);
      this.#taker.answer(id, { type: "deny" }).catch((error: unknown) => this.#hooks.failed(error));
    }
    if (asking.length < this.#pending.length) this.#hooks.parked();
  }

  #announce(): void {
    for (const interaction of this.#pending) {
      if (this.#announced.has(interaction.id)) continue;
      this.#announced.add(interaction.id);
      this.#hooks.waiting(interaction);
    }
  }

  #wait(limitMs: number): void {
    this.#announce();
    // What expires ends by itself; what does not is left to whoever resumes the session.
    const isEndless = this.#pending.some(({ expiresAt }) => expiresAt === null);
    if (!isEndless) {
      clearTimeout(this.#limit);
      this.#limit = undefined;
    } else this.#limit ??= setTimeout(() => this.#hooks.parked(), limitMs);
  }

  /** Calls of a step together, anything else one after the other; an answer from elsewhere closes the prompt. */
  #ask(terminal: AskTerminal): void {
    const current = this.#asking;
    if (current !== undefined) {
      const open = new Set(this.#pending.map(({ id }) => String(id)));
      if ([...current.ids].some((id) => !open.has(id))) current.controller.abort();
      return;
    }
    if (this.#pending.length === 0) return;
    const controller = new AbortController();
    this.#asking = { ids: new Set(), controller };
    void this.#askNext(terminal, controller);
  }

  async #askNext(terminal: AskTerminal, controller: AbortController): Promise<void> {
    const { signal } = controller;
    try {
      const [{ ask, askedTogether }] = await Promise.all([import("./ask.ts"), this.#hooks.allSeen()]);
      if (this.#isStopped) return;
      const asked = askedTogether(this.#pending);
      this.#asking = { ids: new Set(asked.map(({ id }) => String(id))), controller };
      const given = await ask(asked, { terminal, role: this.#taker.identity.role, signal });
      if (this.#isStopped) return;
      // Nobody is there any more: that is no answer, neither yes nor no.
      if (given === null && !signal.aborted) return this.#hooks.parked();
      for (const answered of given ?? []) await this.#submit(answered, terminal);
      this.#asking = undefined;
      this.look(this.#pending);
    } catch (error) {
      this.#hooks.failed(error);
    }
  }

  async #submit({ interaction: { id }, answer }: GivenAnswer, terminal: AskTerminal): Promise<void> {
    const isForAll = answer.type === "approve" && answer.scope === "workspace";
    this.#hooks.answering(isForAll ? this.#pending.map((interaction) => interaction.id) : [id]);
    const receipt = await this.#taker.answer(id, answer);
    if (receipt.type === "accepted" || isOver(receipt.code)) this.#answered.add(id);
    if (receipt.type === "accepted") return;
    const next = isOver(receipt.code) ? "" : " It is asked again.";
    terminal.show([{ tone: "warning", text: `That answer did not count: ${receipt.reason}.${next}` }]);
  }
}

/** Nothing waits for an answer there any more. */
function isOver(code: RefusalCode): boolean {
  return code === "interaction.settled" || code === "interaction.expired" || code === "interaction.unknown";
}
