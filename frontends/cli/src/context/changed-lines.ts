import type { Message, ReportedSummary } from "@capstan/protocol";
import { compactionName, inertText } from "@capstan/view";

/** What the model no longer sees, after `-`, and what stands in its place, after `+`. */
export function changedLines(originals: readonly Message[], summary: ReportedSummary): readonly string[] {
  const kept = summary.kept.map(({ kind, text }) => `${kind}: ${text}`);
  return [
    `--- the first ${summary.messageCount} messages`,
    `+++ ${summary.compaction === null ? "a clean context" : compactionName(summary.compaction)}`,
    ...originals.flatMap((message) => marked("-", messageText(message))),
    ...[summary.text, ...kept].flatMap((text) => marked("+", text)),
  ];
}

function marked(sign: string, text: string): readonly string[] {
  return inertText(text)
    .split("\n")
    .map((line) => `${sign}${line}`);
}

function messageText({ role, content }: Message): string {
  const parts = content.flatMap((block): readonly string[] => {
    switch (block.type) {
      case "text":
        return [block.text];
      case "tool-call":
        return [`[calls ${block.name} ${JSON.stringify(block.arguments)}]`];
      case "tool-result":
        return [`[result of ${block.toolName}] ${block.content}`];
      case "thinking":
        return [];
      default:
        return [`[${block.type}]`];
    }
  });
  return `${role === "user" ? "user" : "model"}: ${parts.join("\n")}`;
}
