import type { Message } from "../message.ts";
import type { SessionEvent } from "../record.ts";

/** A page of a session's history. */
export interface HistoryPage {
  /** Oldest first. */
  readonly events: readonly SessionEvent[];
  /** Ask for events before this number to get the page before; `null`: this is the beginning. */
  readonly before: number | null;
}

/** A page of what was said and done, as the model would read it now. */
export interface ConversationPage {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** How many there are before them: ask for messages before this place to get the page before; 0: this is the beginning. */
  readonly from: number;
}
