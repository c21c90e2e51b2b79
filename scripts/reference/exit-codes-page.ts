import { exitCodes, type TurnOutcome, usageExitCode } from "@capstan/protocol";
import { markdownTable } from "./markdown-table.ts";

const meanings: Readonly<Record<TurnOutcome, string>> = {
  done: "The work is done.",
  proposed: "Changes of files were proposed, and wait for somebody who applies or refuses them.",
  error: "Something failed that no other code names.",
  "tool-denied": "A call that was needed was denied.",
  "limit-reached": "A limit or the budget was reached.",
  "loop-detected": "The model repeated one call although it was shown that it does.",
  "provider-failed": "The model could not be asked, or did not give a whole answer.",
  "outcome-unknown": "A process died while a call ran, and whether it took effect is not known.",
  parked: "The turn waits for a user.",
  timeout: "`--timeout` ran out.",
  interrupted: "Interrupted, as by Ctrl-C.",
  terminated: "The process was asked to end.",
};

export function exitCodesPage(): string {
  const outcomes = Object.entries(meanings).map(([outcome, meaning]): Row => [
    exitCodes[isOutcome(outcome) ? outcome : "error"],
    `\`${outcome}\``,
    meaning,
  ]);
  const usage: Row = [
    usageExitCode,
    "–",
    "Usage or configuration is wrong: a flag, an argument, a key, a name. Nothing was begun.",
  ];
  const rows = [...outcomes, usage].toSorted(([a], [b]) => a - b);
  return `# Exit codes

Of every command. \`outcome\` is the word in the result of \`capstan run\`.

${markdownTable(
  ["code", "outcome", "meaning"],
  rows.map(([code, ...rest]) => [String(code), ...rest]),
)}
`;
}

type Row = readonly [code: number, outcome: string, meaning: string];

function isOutcome(word: string): word is TurnOutcome {
  return Object.hasOwn(exitCodes, word);
}
