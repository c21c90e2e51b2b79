import { errorCatalog, refusalCatalog } from "@capstan/protocol";
import { markdownTable } from "./markdown-table.ts";

/** Codes of notices and warnings: lines for people about what did not stop the work. No catalog in the code has them. */
export const noticeCodes: Readonly<Record<string, string>> = {
  "compaction.nothing": "A summary was asked for, and there was nothing to summarise.",
  "input.no-answer": "Words came while something waited for a user: they answer nothing, and are next in line.",
  "provider.recovered-call": "The model wrote a tool call as text, and it was read as a call.",
  "provider.declined": "Why the vendor declined to answer, or stopped an answer, in its own words.",
  "provider.unknown-event": "The vendor sent an event of a kind that is not known; it was skipped.",
  "provider.fallback": "A model failed for good; the next of `app.model_fallbacks` is asked until the turn ends.",
  "provider.usage": "A provider counted tokens as no model can use them; the count was cut.",
  "provider.health": "A provider failed several times in a row and is left alone for a moment, or answers again.",
  "provider.no-summaries":
    "The vendor gives this account no summaries of the model's thinking; the request was sent again without.",
  "provider.rate-limit": "The vendor said that a limit is used up; the call waits until it allows one more.",
  "rewind.not-kept":
    "Files that were too large to be kept, or could not be: taking turns back leaves them as they are.",
  "session.imported": "The session was taken over from another agent; what was healed is counted.",
  "session.repaired":
    "The database was damaged: after which numbers records of this session are missing, and that its chain was made again.",
  "session.lacks":
    "What the process that writes to the session lacks to carry on with its turn, such as a key; the turn waits until it has it.",
  "tool.name-taken":
    "A tool was left out, or is not called by one of its other names, because of its name: tools that count more are called so.",
  "trust.changed":
    "A folder that was trusted is not any more: what it brings along changed, or another folder is there.",
  "trust.flag": "`--trust`: what the folder brings along counts for this run.",
  "trust.hint": "How to trust the folder.",
  "trust.ignored": "Something the folder brings along is not loaded, because the folder is not trusted.",
  "trust.note": "Instructions of a folder that is not trusted are reported to the model as a note without authority.",
  "trust.refused": "Something a trusted folder brings along is not loaded all the same.",
  "trust.store": "What the user trusts cannot be read, or not be kept.",
  "provider.empty-answer": "The model ended its answer without a word: no text and no call.",
  "provider.unknown-finish": "The vendor ended its answer for a reason that is not known.",
};

export function errorsPage(): string {
  const errors = Object.entries(errorCatalog).map(([code, { about, action }]) => [`\`${code}\``, about, action]);
  const refusals = Object.entries(refusalCatalog).map(([code, { about, action }]) => [`\`${code}\``, about, action]);
  const notices = Object.entries(noticeCodes).map(([code, about]) => [`\`${code}\``, about]);
  return `# Error codes

Stable: scripts may rely on them. They appear in brackets after an error's message, as \`error.code\` of the JSON results, and in what a failed tool call
tells the model. "Reported to the model" means that the model reads the message and can fix its call; nobody else has to act.

${markdownTable(["code", "meaning", "what to do"], errors)}

## Refusals

Codes of submissions that a session refuses: nothing changes. Codes of \`door\` and \`interaction\`, and \`session.busy\`, are refusals too.

${markdownTable(["code", "meaning", "what to do"], refusals)}

## Notices

Codes of \`notice\` records.

${markdownTable(["code", "meaning"], notices)}
`;
}
