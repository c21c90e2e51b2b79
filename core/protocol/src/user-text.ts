import type { TurnRecord } from "./record.ts";
import type { UserContent } from "./message.ts";

/** Plain text as user content. */
export function userText(text: string): readonly UserContent[] {
  return [{ type: "text", text }];
}

/** Vendors refuse empty texts, and nobody means them. */
export function saysSomething(part: UserContent): boolean {
  return part.type !== "text" || part.text.trim() !== "";
}

/** Whether a turn asks for the answer of the one before it again: both are one turn for whoever reads the session. */
export function asksAgain({ follows, plan }: Extract<TurnRecord, { type: "turn-started" }>): boolean {
  return follows !== undefined && plan === undefined;
}
