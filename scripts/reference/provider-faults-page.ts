import { exitCodes } from "@capstan/protocol";
import { markdownTable } from "./markdown-table.ts";
import { type FaultRow, faultRows } from "./provider-fault-rows.ts";

export function providerFaultsPage(): string {
  const sections = Object.entries(faultRows).map(
    ([title, rows]) =>
      `## ${title}\n\n${markdownTable(
        head,
        rows.map((row) => cells(row)),
      )}`,
  );
  return `# What happens when a provider fails

On each of the four wires, unless a row names some. *Tried again*: with \`retry.max_attempts\` and the delays of \`[retry]\`, or after the wait the vendor asks
for (*as asked*); what an attempt had shown before it failed is not part of the answer, and no call in it is run. *Outcome*: of the turn, with the exit code of \`capstan run\`,
when every attempt fails so.

What stays in the session: after \`done\` the answer, once. A turn that fails before any tool ran leaves the conversation as before it and hands the words back
as a draft; one that ran tools keeps what happened. Either way the next turn's request is valid on every wire.

Each row is a test of that name in \`test/four-wires/faults\`.

${sections.join("\n\n")}
`;
}

const head = ["test", "what happens", "tried again", "code", "what the user sees", "outcome", "exit code"];

function cells({ id, what, on, retried, code, shown, outcome }: FaultRow): readonly string[] {
  const where = on === undefined ? what : `${what} (${on.join(", ")})`;
  return [
    `\`${id}\``,
    where,
    retried,
    code === undefined ? "–" : `\`${code}\``,
    shown,
    `\`${outcome}\``,
    String(exitCodes[outcome]),
  ];
}
