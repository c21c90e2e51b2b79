import { type HookPoint, maxStopPushes } from "@capstan/hook-points";
import { hookDeeds, hookRows } from "./hook-rows.ts";
import { markdownTable } from "../markdown-table.ts";

export function hooksPage(): string {
  const events = hookRows.map(({ event, about, aliases, matches }) => [
    `\`${event}\``,
    about,
    aliases.map((name) => `\`${name}\``).join(", "),
    matches ?? "–",
  ]);
  const effects = hookRows.map(({ event, effects: of }) => [`\`${event}\``, ...hookDeeds.map((deed) => of[deed])]);
  return `# Hook events

In the order in which a session comes to them. What they are for, and how a hook is written: [hooks.md](../hooks.md).

${markdownTable(["event", "when", "other names", "matchers look at"], events)}

## What comes of what a hook does

*Refuses*: a program ends with 2, or its object says \`permissionDecision: "deny"\` or \`decision: "block"\`. *Changes*: \`updatedInput\`, \`updatedToolOutput\`, \`additionalContext\`.
*Stops*: \`continue: false\`. *Fails*: a program ends with another code than 0 and 2. *Is late*: it does not answer in its time, or cannot be run. Where a user is to be asked and nobody
can be, the call is denied. \`Stop\` and \`SubagentStop\` push a turn on at most ${maxStopPushes} times. ${notified()} are informed, and nothing waits for them.

Each cell is a test in \`hooks/test/every-event.test.ts\`.

${markdownTable(["event", ...hookDeeds], effects)}
`;
}

function notified(): string {
  const names = hookRows.filter(({ before }: HookPoint) => before === undefined).map(({ event }) => `\`${event}\``);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
