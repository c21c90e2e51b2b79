import type { RunResult } from "./run-result.ts";
import { shellWord } from "./shell-word.ts";

/** Words that are pasted again from one line; longer ones the user has where they wrote them. */
const pastableWords = /^[^\p{C}]{1,300}$/u;

/** What becomes of the words of a turn of which nothing is kept, with the line that sends them again. */
export function draftLines(
  { outcome, draft }: Pick<RunResult, "outcome" | "draft">,
  sessionId: string,
): readonly string[] {
  if (draft === undefined) return [];
  if (outcome === "parked") return ["Your words were not sent: answer what waits first, then send them again."];
  const what =
    outcome === "interrupted"
      ? "Stopped before any tool ran: nothing of it is kept, and its words are yours again."
      : "Nothing of this turn was kept; send it again when the cause is gone.";
  return pastableWords.test(draft) ? [what, `Again: capstan run --resume ${sessionId} ${shellWord(draft)}`] : [what];
}
