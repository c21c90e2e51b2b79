import type { JournalRecord, SelectionReason } from "@capstan/protocol";

/** Rules made a summary, since no model did. */
export function trimmedNotice(problem: string): JournalRecord {
  const text = `Earlier messages were left out without a model's summary (${problem}). What binds stays word for word; all of it stays in the session.`;
  return { type: "notice", level: "warning", code: "context.trimmed", text };
}

/** The engine chose what the model is shown of what was said before. @param model  `provider/id` */
export function selectedNotice(model: string, reason: SelectionReason): JournalRecord {
  const text =
    reason === "larger-window"
      ? `${model} has room for more of the conversation: earlier messages are shown to it as they were.`
      : `Earlier messages do not fit the window of ${model}: it is shown a summary of them that was made before.`;
  return { type: "notice", level: "info", code: "context.selected", text };
}

/** Tool results are shown by their beginnings and ends. */
export function shortenedNotice(characters: number): JournalRecord {
  const text = `Long tool results are shown to the model with ${characters} characters each, so that the newest messages fit its window.`;
  return { type: "notice", level: "warning", code: "context.shortened", text };
}
