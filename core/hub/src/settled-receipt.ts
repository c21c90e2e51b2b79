import type { Receipt, SessionEvent, Submission } from "@capstan/protocol";
import { eventsPerPage } from "./limits.ts";

type Answer = Extract<Submission, { readonly type: "answer" }>;
type Refused = Extract<Receipt, { readonly type: "refused" }>;

/** Kept events before a number (`null`: the newest), oldest first, about as many as asked for. */
type ReadBefore = (before: number | null, limit: number) => Promise<readonly SessionEvent[]>;

/** What somebody learns whose answer changed nothing: that it had counted already, who was first, or that nobody asked. */
export async function settledReceipt(
  { interactionId, answerId }: Answer,
  refused: Refused,
  readBefore: ReadBefore,
): Promise<Receipt> {
  let before: number | null = null;
  for (;;) {
    const events: readonly SessionEvent[] = await readBefore(before, eventsPerPage);
    for (const { seq, record } of events.toReversed()) {
      if (record.type === "interaction-resolved" && record.interactionId === interactionId) {
        if (answerId !== undefined && record.answerId === answerId) return { type: "accepted", seq };
        const { frontend, user } = record.origin;
        const who = user === undefined ? frontend : `${user}, ${frontend}`;
        return { ...refused, reason: `it was settled before: ${record.answer.type} (${who})` };
      }
      if (record.type === "interaction-opened" && record.interaction.id === interactionId) return refused;
    }
    const first = events[0]?.seq ?? 1;
    if (first <= 1) break;
    before = first;
  }
  return { type: "refused", code: "interaction.unknown", reason: `nobody asked ${interactionId} in this session` };
}
