import { recordCatalog } from "@capstan/protocol";
import { markdownTable } from "./markdown-table.ts";

export function recordsPage(): string {
  const rows = Object.entries(recordCatalog).map(([type, { durability, about }]) => [`\`${type}\``, durability, about]);
  return `# Records

What a session's journal consists of. Each has a sequence number; \`capstan run --output-format stream-json\` and \`capstan sessions show ID --json\` print them,
one per line. The fields of each are in \`core/protocol/src/record.ts\` and the files that it names.

*flushed*: on the disk before anything follows · *committed*: survives a killed process, a power cut may take it · *delta*: committed, and removed by the record
that supersedes it (numbers are never used again).

${markdownTable(["type", "durability", "meaning"], rows)}
`;
}
