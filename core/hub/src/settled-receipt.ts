import type { JournalRecord, Receipt, SessionEvent, Submission } from "@capstan/protocol";
import { eventsPerPage } from "./limits.ts";

type Answer = Extract<Submission, { readonly type: "answer" }>;
type Resolved = Extract<JournalRecord, { readonly type: "interaction-resolved" }>;
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
        return { type: "refused", ...settledRefusal(record) };
      }
      if (record.type === "interaction-opened" && record.interaction.id === interactionId) return refused;
    }
    const first = events[0]?.seq ?? 1;
    if (first <= 1) break;
    before = first;
  }
  return { type: "refused", code: "interaction.unknown", reason: `nobody asked ${interactionId} in this session` };
}

/** What is answered to an answer that comes too late. */
function settledRefusal({ answer, origin }: Resolved): {
  readonly code: "interaction.expired" | "interaction.settled";
  readonly reason: string;
} {
  switch (answer.type) {
    case "expired":
      return { code: "interaction.expired", reason: "its time was up; it counts as denied" };
    case "void":
      return {
        code: "interaction.settled",
        reason: "it was withdrawn, because its turn ended or nobody could be asked",
      };
    default: {
      const who = origin.user === undefined ? origin.frontend : `${origin.user}, ${origin.frontend}`;
      return { code: "interaction.settled", reason: `it was answered before: ${answer.type} (${who})` };
    }
  }
}
