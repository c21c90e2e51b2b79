import type { Message, ReportedSummary } from "@capstan/protocol";
import { compactionName, inertText } from "@capstan/view";
import { messageText } from "./message-text.ts";

/** What the model no longer sees, after `-`, and what stands in its place, after `+`. */
export function changedLines(originals: readonly Message[], summary: ReportedSummary): readonly string[] {
  const kept = summary.kept.map(({ kind, text }) => `${kind}: ${text}`);
  return [
    `--- the first ${summary.messageCount} messages`,
    `+++ ${summary.compaction === null ? "a clean context" : compactionName(summary.compaction)}`,
    ...originals.flatMap((message) =>
      marked("-", `${message.role === "user" ? "user" : "model"}: ${messageText(message)}`),
    ),
    ...[summary.text, ...kept].flatMap((text) => marked("+", text)),
  ];
}

function marked(sign: string, text: string): readonly string[] {
  return inertText(text)
    .split("\n")
    .map((line) => `${sign}${line}`);
}
