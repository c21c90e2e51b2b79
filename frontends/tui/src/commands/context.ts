import type { CompactionChange, ContextReport, ReportedSummary } from "@capstan/protocol";
import { compactionName, contextLines, rowOf, textWidth, wrapRow } from "@capstan/view";
import { submit } from "../run/sending.ts";
import type { Chat } from "../run/chat.ts";

const takes = "undo, redo or edit";

/** What the model is shown, with its summaries; with a word behind, the one that is shown is undone, redone or edited. */
export async function context(chat: Chat, rest: string): Promise<void> {
  const report = await chat.session.client.context();
  if (report === null) return chat.say("This session has not begun yet.");
  if (rest === "") return showReport(chat, report);
  if (rest !== "undo" && rest !== "redo" && rest !== "edit") return chat.say(`/context takes ${takes}, not ${rest}.`);
  const summary = report.summaries.find(({ isShown }) => isShown) ?? report.summaries.at(-1);
  if (summary === undefined || summary.compaction === null)
    return chat.say("No summary stands for messages of this session; /compact makes one.");
  const change = rest === "edit" ? await editedSummary(chat, summary) : ({ type: rest } as const);
  if (change === null) return;
  const { compaction, messageCount } = summary;
  const receipt = await submit(chat, { type: "change-compaction", compaction, change });
  if (receipt.type === "accepted") chat.say(doneText(change, compactionName(compaction), messageCount));
}

function showReport(chat: Chat, report: ContextReport): void {
  const lines = contextLines(report, { width: chat.columns });
  chat.overlays.show(
    "Context",
    // What fits stays as it is aligned.
    lines.flatMap((line) => (textWidth(line) <= chat.columns ? [rowOf(line)] : wrapRow(rowOf(line), chat.columns))),
  );
}

async function editedSummary(chat: Chat, { text }: ReportedSummary): Promise<CompactionChange | null> {
  const edited = await chat.lend(() => chat.surroundings.edit(text, "md"));
  if ("problem" in edited) chat.say(edited.problem);
  else if (edited.text.trim() === text.trim()) chat.say("Nothing was changed.");
  else return { type: "edit", summary: edited.text };
  return null;
}

function doneText({ type }: CompactionChange, name: string, messageCount: number): string {
  switch (type) {
    case "undo":
      return `${name} is undone; /context redo brings it back.`;
    case "redo":
      return `${name} stands for the first ${messageCount} messages again.`;
    case "edit":
      return `The words of ${name} are changed.`;
  }
}
