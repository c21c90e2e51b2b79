import {
  type HistoryPage,
  type JournalRecord,
  type Receipt,
  type SessionClient,
  type Submission,
  type TurnId,
  unreachable,
} from "@capstan/protocol";
import { eventsPerPage } from "./limits.ts";

/**
 * What has no identity by what it is about bears an id of its own: so whoever repeats an answer learns that it was this one that counted, and
 * what is done to the session as a whole is done once.
 */
export function identified(submission: Submission, newId: () => string): Submission {
  switch (submission.type) {
    case "answer":
      return submission.answerId === undefined ? { ...submission, answerId: newId() } : submission;
    case "compact":
    case "change-compaction":
    case "rewind":
    case "unwind":
    case "settle-proposals":
      return submission.submissionId === undefined ? { ...submission, submissionId: newId() } : submission;
    case "user-input":
    case "run-for-user":
    case "cancel":
    case "queue-change":
    case "set":
    case "title":
    case "resume":
    case "revoke-grant":
      return submission;
    default:
      return unreachable(submission);
  }
}

/**
 * A submission that may have counted already, as it is sent to the next owner. To stop whatever is open would stop what began since: the
 * turn that was open is named, where it is known.
 * @returns `null`: repeating it could do more than it was meant to
 */
export function repeatable(submission: Submission, open: TurnId | null): Submission | null {
  if (submission.type !== "cancel" || submission.turnId !== undefined) return submission;
  return open === null ? null : { ...submission, turnId: open };
}

/** What is said where it is not repeated. */
export const notRepeated: Receipt = {
  type: "refused",
  code: "session.waiting",
  reason: "the process that had the session ended before it said what it did with this",
  hint: "Look whether the turn is still open, and send it again.",
};

/** The receipt of a repeated submission: one that is refused because it counted the first time has counted. */
export async function repeatedReceipt(
  submission: Submission,
  receipt: Receipt,
  client: Pick<SessionClient, "history">,
): Promise<Receipt> {
  if (receipt.type === "accepted" || (receipt.code !== "queue.unknown" && receipt.code !== "grant.unknown"))
    return receipt;
  let before: number | null = null;
  do {
    const page: HistoryPage = await client.history(before, eventsPerPage);
    const event = page.events.findLast(({ record }) => isOutcomeOf(submission, record));
    if (event !== undefined) return { type: "accepted", seq: event.seq };
    if (page.events.some(({ record }) => beginsWhatIsChanged(submission, record))) return receipt;
    before = page.before;
  } while (before !== null);
  return receipt;
}

function isOutcomeOf(submission: Submission, record: JournalRecord): boolean {
  if (submission.type === "revoke-grant")
    return record.type === "grant-revoked" && record.grantId === submission.grantId;
  if (submission.type !== "queue-change") return false;
  const { turnId, change } = submission;
  if (change.type === "now") return record.type === "turn-steered" && record.inputId === turnId;
  return change.type === "remove" && record.type === "queue-changed" && record.turnId === turnId
    ? record.change.type === "removed"
    : false;
}

/** Nothing before it can be about the same. */
function beginsWhatIsChanged(submission: Submission, record: JournalRecord): boolean {
  return submission.type === "queue-change" && record.type === "turn-queued" && record.turnId === submission.turnId;
}
