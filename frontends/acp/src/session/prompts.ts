import type { FinishReason, JournalRecord, TurnId } from "@capstan/protocol";
import { RpcError, type RpcProblem } from "../peer/rpc-error.ts";
import { stopOf, type StopReason } from "./stop-reason.ts";

/** A prompt of this client that is not answered yet. */
interface OpenPrompt {
  /** The turn that answers it: its own, one that it was steered into, or the one that carries out its plan. */
  turnId: TurnId;
  isCancelled: boolean;
  /** A plan of its turn was approved: the turn that carries it out belongs to the prompt. */
  isApproved: boolean;
  settle(outcome: StopReason | RpcProblem): void;
}

/** The prompts of one client in one session, and what each is answered. */
export class Prompts {
  readonly #own = new Set<string>();
  readonly #open = new Set<OpenPrompt>();
  #openTurn: TurnId | null = null;
  #reason: FinishReason | null = null;

  /** Words that this client sent. */
  isOwn(turnId: string): boolean {
    return this.#own.has(turnId);
  }

  /** The turns that this client waits for. */
  get turns(): readonly TurnId[] {
    return [...this.#open].map(({ turnId }) => turnId);
  }

  /** @throws RpcError what went wrong in the turn */
  answerOf(turnId: TurnId): Promise<StopReason> {
    this.#own.add(turnId);
    return new Promise((resolve, reject) => {
      const prompt: OpenPrompt = {
        turnId,
        isCancelled: false,
        isApproved: false,
        settle: (outcome) => {
          this.#open.delete(prompt);
          if (prompt.isCancelled) resolve("cancelled");
          else if (typeof outcome === "string") resolve(outcome);
          else reject(new RpcError(outcome.code, outcome.message, outcome.data));
        },
      };
      this.#open.add(prompt);
    });
  }

  /** Every prompt ends `cancelled`, whatever becomes of its turn. @param turnId  only the one that waits for this turn */
  cancel(turnId?: TurnId): void {
    for (const prompt of this.#open) if (turnId === undefined || prompt.turnId === turnId) prompt.isCancelled = true;
  }

  /** It was cancelled before its words were sent. */
  isCancelled(turnId: TurnId): boolean {
    return [...this.#open].some((prompt) => prompt.turnId === turnId && prompt.isCancelled);
  }

  /** The words were not taken, or nobody follows the session any more. */
  end(outcome: StopReason | RpcProblem, turnId?: TurnId): void {
    for (const prompt of this.#open) if (turnId === undefined || prompt.turnId === turnId) prompt.settle(outcome);
  }

  /** A record, once the client was shown of it. */
  take(record: JournalRecord): void {
    switch (record.type) {
      case "turn-started":
        this.#openTurn = record.turnId;
        this.#reason = null;
        for (const prompt of this.#open) if (prompt.turnId === record.follows) prompt.turnId = record.turnId;
        return;
      case "turn-steered":
        for (const prompt of this.#open) if (prompt.turnId === record.inputId) prompt.turnId = record.turnId;
        return;
      case "step-completed":
        this.#reason = record.reason;
        return;
      case "interaction-resolved":
        if (record.answer.type === "plan" && record.answer.decision.startsWith("proceed"))
          for (const prompt of this.#open) if (prompt.turnId === this.#openTurn) prompt.isApproved = true;
        return;
      case "queue-changed":
        if (record.change.type === "removed" || record.change.type === "handed-back")
          for (const prompt of this.#open) if (prompt.turnId === record.turnId) prompt.settle("cancelled");
        return;
      case "turn-ended":
        return this.#end(record);
      default:
        return;
    }
  }

  #end(ended: Extract<JournalRecord, { type: "turn-ended" }>): void {
    for (const prompt of this.#open) {
      if (prompt.turnId !== ended.turnId) continue;
      const continues = prompt.isApproved && !prompt.isCancelled && ended.outcome === "done";
      prompt.isApproved = false;
      if (!continues) prompt.settle(stopOf(ended, this.#reason));
    }
    this.#openTurn = null;
  }
}
