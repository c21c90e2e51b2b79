import type { Interaction, InteractionAnswer, SessionEvent, Submission } from "@capstan/protocol";
import type { TurnEnd } from "./turn-end.ts";

/** What somebody said to a question, and what they want done after it. */
export interface GivenAnswer {
  readonly answer: InteractionAnswer;
  readonly after?: readonly Submission[];
}

/** How a dialect shows a session. Records come one after the other: the next one waits until this one was handed over. */
export interface Medium {
  /** @param isOwn  it belongs to a message of this program */
  record(event: SessionEvent, isOwn: boolean): Promise<void>;
  /** One of the program's messages has come to its end; everything of it was shown before. */
  ended(end: TurnEnd): Promise<void>;
  /**
   * Asks the program.
   * @param signal  somebody else has answered, or nobody can any more
   * @returns `null`: the program is not asked, or gives no answer, and others may
   */
  ask(interaction: Interaction, signal: AbortSignal): Promise<GivenAnswer | null>;
}
