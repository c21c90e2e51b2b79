import { errorCatalog, refusalCatalog } from "@capstan/protocol";
import { markdownTable } from "./markdown-table.ts";

/** Codes of notices and warnings: lines for people about what did not stop the work. No catalog in the code has them. */
export const noticeCodes: Readonly<Record<string, string>> = {
  "proposals.settled": "Somebody applied or refused changes that were proposed; says which, and which were left alone.",
  "hook.said": "What a hook said, refused, changed or failed at.",
  "hook.left-out": "Something that was meant to be a hook is none, or does not run here.",
  "command.ended":
    "A command that ran in the background has ended since anybody could see it, for instance with the session.",
  "compaction.nothing": "A summary was requested, and there was nothing to summarise.",
  "context.assumed": "Nobody said how much the model takes; a cautious window is assumed.",
  "context.changed": "A user undid or redid a compaction, or changed the words of its summary.",
  "context.selected":
    "The model is shown a summary that was made before, because its window is smaller, or earlier messages as they were, because it is larger.",
  "context.shortened":
    "Long tool results are shown to the model by their beginning and end, so that the newest messages fit.",
  "context.trimmed":
    "No model could summarise older messages; they were left out by rules, and what binds stays word for word.",
  "input.no-answer": "Words came while something waited for a user. They answer nothing, and are next in line.",
  "provider.recovered-call": "The model wrote a tool call as text, and it was read as a call.",
  "provider.declined": "Why the vendor declined to answer, or stopped an answer, in its own words.",
  "provider.unknown-event": "The vendor sent an event of a kind that is not known; it was skipped.",
  "provider.fallback": "A model failed for good; the next of `app.model_fallbacks` is asked until the turn ends.",
  "provider.usage": "A provider reported more tokens than any model can use; the count was cut.",
  "provider.health": "A provider failed several times in a row and is left alone for a moment, or answers again.",
  "provider.no-summaries":
    "The vendor gives this account no summaries of the model's thinking; the request was sent again without.",
  "provider.rate-limit": "The vendor said that a limit is used up; the call waits until it allows one more.",
  "rewind.not-kept": "Some files were too large to be kept, or could not be read; undo leaves them as they are.",
  "session.imported": "The session was taken over from another agent; what was healed is counted.",
  "session.repaired":
    "The database was damaged: after which numbers records of this session are missing, and that its chain was made again.",
  "session.damaged":
    "The newest records of the session do not follow on each other: they were changed, added or removed by something else than Capstan.",
  "session.lacks":
    "The process that writes to the session lacks something, such as a key; its turn waits until it is there.",
  "persona.partly-read":
    "A persona's file has fields that count for nothing here: mode and rules decide what is asked, settings the model.",
  "persona.unreadable":
    "A file in a folder of personas is no persona: its text says why. Everything else of the session is as it was.",
  "agent.unreadable":
    "An agent is left out: its front matter cannot be read, or it has no description or no text, or a name of Capstan's own.",
  "plugin.left-out":
    "A plugin is left out: it cannot be read or started, is not what it was, others can change it, or what it depends on is missing.",
  "skill.unreadable": "A skill is left out: its front matter cannot be read, or says neither name nor description.",
  "mcp.unavailable": "A server of the Model Context Protocol did not start or answer; its tools are left out.",
  "mcp.left-out": "Tools of a server are left out, because their names or schemas cannot be offered to a model.",
  "mcp.changed":
    "Tools of a server are left out, because they say something else about themselves than when they were first used.",
  "tool.name-taken":
    "A tool was left out, or lost one of its other names, because a tool that counts more has that name.",
  "trust.changed":
    "A folder is no longer trusted: what it brings along changed, or another folder stands in its place.",
  "trust.flag": "`--trust`: what the folder brings along counts for this run.",
  "trust.hint": "How to trust the folder.",
  "trust.ignored": "Something that the folder brings along was not loaded, because the folder is not trusted.",
  "trust.note": "The model reads the instructions of an untrusted folder as a note without authority.",
  "trust.refused": "Something that a trusted folder brings along was not loaded; the notice says why.",
  "trust.store": "The list of trusted folders could not be read or written.",
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
