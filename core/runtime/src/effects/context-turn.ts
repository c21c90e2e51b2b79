import { openTurnOf, type SessionState } from "@capstan/session";
import type { ContextTurn } from "@capstan/ports";
import { maxTurnWords } from "../limits.ts";

/** The turn that begins, as the sources of facts see it: what was said before it is in the conversation. */
export function contextTurn(state: SessionState): ContextTurn {
  const content = openTurnOf(state)?.content ?? [];
  const words = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { sessionId: state.sessionId, words: words.slice(0, maxTurnWords).toWellFormed() };
}
