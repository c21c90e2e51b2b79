import { AppError, type SessionEvent, type SessionId } from "@capstan/protocol";

/** @throws {AppError} `storage.corrupt` unless the numbers are whole, above zero, and rise */
export function assertRising(sessionId: SessionId, events: readonly SessionEvent[]): void {
  const assertNext = risingNumbers(sessionId);
  for (const { seq } of events) assertNext(seq);
}

/** The same for numbers that come one by one. */
export function risingNumbers(sessionId: SessionId): (seq: number) => void {
  let last = 0;
  return (seq) => {
    if (!Number.isSafeInteger(seq) || seq <= last) {
      throw new AppError(
        "storage.corrupt",
        `session ${sessionId}: an event with the number ${seq} comes after ${last}`,
        {
          hint: "Take the journal from where it was exported again; nothing was written.",
        },
      );
    }
    last = seq;
  };
}

/** A journal is restored under an id that nothing is stored under. */
export function alreadyStored(sessionId: SessionId): AppError {
  return new AppError("session.busy", `session ${sessionId}: there is one by that id already`, {
    hint: "Delete it first, or give the journal another id.",
  });
}
