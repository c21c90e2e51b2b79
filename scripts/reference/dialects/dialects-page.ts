import { claudeRows } from "./claude-rows.ts";
import { codexRows } from "./codex-rows.ts";
import { otherRows } from "./other-rows.ts";
import { markdownTable } from "../markdown-table.ts";
import type { DialectRow } from "./dialect-row.ts";

/** What models really send. The page prints these rows, and a test makes each of these calls. */
export const dialectRows: readonly DialectRow[] = [...claudeRows, ...codexRows, ...otherRows];

export function dialectsPage(): string {
  const rows = dialectRows.map((row) => [
    row.from,
    code(row.name, row.arguments),
    code(row.tool, row.becomes),
    row.note ?? "–",
  ]);
  return `# Calls as other agents' models write them

Models carry over the tools they were trained on. These calls are taken for ours; everything after that (rules, questions, journal) sees our tools only. Other names of each tool: [tools.md](tools.md).
Fields that only talk about a call (\`explanation\`, \`toolSummary\`, …) are left out, and the model learns of it. What could change a call's meaning is refused.

${markdownTable(["from", "call", "is taken for", "what the model reads about it"], rows)}
`;
}

function code(name: string, value: object): string {
  return `\`${name} ${JSON.stringify(value).replaceAll("|", "\\|")}\``;
}
