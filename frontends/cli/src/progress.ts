import { counted, leftAloneLines, proposalLines } from "./sessions/proposal-lines.ts";
import {
  type AssistantMessage,
  type CompactionRecord,
  type Finding,
  type JournalRecord,
  type SessionEvent,
  type Task,
  unreachable,
} from "@capstan/protocol";
import {
  citedSources,
  endOfTurn,
  hookNotices,
  inertLine,
  inertText,
  type ProgressLine,
  type ProgressTone,
  timeText,
  vendorWork,
  writtenSummary,
} from "@capstan/view";
import { endLines } from "./command-end.ts";
import { taskLines } from "./task-lines.ts";

type RewindStarted = Extract<JournalRecord, { type: "rewind-started" }>;
type RewindFinished = Extract<JournalRecord, { type: "rewind-finished" }>;

const summaryCharacters = 160;
/** A refusal ends with what to do. */
const refusalCharacters = 800;
const diffLines = 60;
/** Tools of the vendor's, and sources, that are shown for one answer. */
const vendorLines = 30;

/** Turns events into lines that say what is happening, in the order of the events. Everything in them is inert. */
export function createProgress(): (event: SessionEvent) => readonly ProgressLine[] {
  const summaries = new Map<string, string>();
  const lists = new Map<string, readonly Task[]>();
  return ({ record }) => {
    if (record.type === "step-completed") {
      for (const block of record.message.content)
        if (block.type === "tool-call") summaries.set(block.callId, writtenSummary(block));
    }
    if (record.type === "tool-decided") {
      const { summary, session } = record.action;
      summaries.set(record.callId, summary);
      if (session?.type === "update-plan") lists.set(record.callId, session.tasks);
    }
    const tasks =
      record.type === "tool-finished" && record.outcome.type === "done" ? lists.get(record.callId) : undefined;
    const changed = tasks === undefined ? [] : taskLines(tasks).map((text) => line("plain", `  ${text}`));
    return [...describe(record, (callId) => summaries.get(callId)), ...changed];
  };
}

function describe(record: JournalRecord, summaryOf: (callId: string) => string | undefined): readonly ProgressLine[] {
  switch (record.type) {
    case "session-recovered":
      return [line("warning", `Continuing: ${record.found}.`)];
    case "step-retrying":
      return [retryLine(record)];
    case "step-abandoned":
      return record.failure === undefined ? [] : [line("bad", `The model call failed: ${record.failure.message}`)];
    case "tool-probed":
      return describeProbe(record.finding, summaryOf(record.callId));
    case "tool-restarted":
      return record.reason === "chosen" ? [line("warning", "  It is run again, as was chosen.")] : [];
    case "rewind-started":
    case "rewind-finished":
      return describeRewind(record);
    case "proposals-applying":
    case "proposals-applied":
    case "proposals-refused":
      return proposalLines(record);
    case "tool-started":
      return [line("plain", `▸ ${summaryOf(record.callId) ?? "tool"}`)];
    case "tool-finished":
      return describeFinished(record, summaryOf(record.callId));
    case "interaction-opened":
    case "interaction-resolved":
      return interactionLines(record);
    case "grant-added":
    case "grant-revoked":
      return [line("muted", grantText(record))];
    case "call-edited":
      return [line("muted", "The arguments of the call were changed; it is checked again.")];
    case "compaction-started":
    case "compaction-completed":
    case "compaction-failed":
    case "compaction-selected":
    case "compaction-edited":
    case "results-shortened":
    case "results-kept":
    case "summary-started":
    case "summary-made":
    case "summary-dropped":
      return describeCompaction(record);
    case "step-completed":
      return [...toolLines(record.message), ...sourceLines(record.message)];
    case "hook-finished":
    case "notice":
      return noticeLines(record);
    case "hook-started":
    case "session-started":
    case "session-configured":
    case "session-titled":
    case "turn-queued":
    case "queue-changed":
    case "turn-steered":
    case "turn-started":
    case "context-packed":
    case "turn-ended":
    case "step-started":
    case "text-delta":
    case "thinking-delta":
    case "tool-arguments-delta":
    case "tool-decided":
    case "tool-deferred":
    case "tool-output-delta":
    case "tool-effects":
      return [];
    default:
      return unreachable(record);
  }
}

function grantText(record: Extract<JournalRecord, { type: "grant-added" | "grant-revoked" }>): string {
  if (record.type === "grant-revoked") return "A remembered approval was revoked since; it holds no more.";
  const { scope, rule } = record.grant;
  return `Remembered (${scope}): ${inertLine(rule.text, summaryCharacters)}`;
}

const tones = { info: "muted", warning: "warning", error: "bad" } as const;

function noticeLines(record: Extract<JournalRecord, { type: "hook-finished" | "notice" }>): readonly ProgressLine[] {
  const notices = record.type === "notice" ? [record] : hookNotices(record);
  return notices.map(({ level, text }) => line(tones[level], text));
}

function retryLine({ failure, delayMs, attempt }: Extract<JournalRecord, { type: "step-retrying" }>): ProgressLine {
  return line("warning", `${failure.message} — trying again ${soon(delayMs)} (attempt ${attempt + 1})`);
}

/** Whoever answered from elsewhere is notified; what ended a wait is, too. */
function interactionLines(
  record: Extract<JournalRecord, { type: "interaction-opened" | "interaction-resolved" }>,
): readonly ProgressLine[] {
  if (record.type === "interaction-opened") return [line("warning", "Waiting for a user to answer.")];
  const { answer, origin } = record;
  if (answer.type === "void") return [];
  if (answer.type === "expired") return [line("warning", "Nobody answered in time.")];
  const who = origin.user === undefined ? origin.frontend : `${origin.user}, ${origin.frontend}`;
  return [line("muted", `Answered: ${answer.type} (${inertLine(who, summaryCharacters)}).`)];
}

function describeProbe(finding: Finding, summary: string | undefined): readonly ProgressLine[] {
  const what = inertLine(summary ?? "a tool call", summaryCharacters);
  switch (finding.type) {
    case "ended":
      return [line("good", `  ${what}: proved to have ended before the process died.`)];
    case "untouched":
      return [line("warning", `  ${what}: proved not to have happened; it runs now.`)];
    case "in-doubt":
      return describeDoubt(what, finding.text);
    default:
      return unreachable(finding);
  }
}

/** With the end of its output, set off so that it cannot pass for a line of ours. */
function describeDoubt(what: string, text: string): readonly ProgressLine[] {
  const [known = "", ...shown] = text.split("\n");
  return [line("warning", `  ${what}: ${known}`), ...shown.map((output) => line("muted", `    | ${output}`))];
}

function rewindText({ direction, keepTurns, conversation, files }: RewindStarted): string {
  const restoring = files.length === 0 ? "" : ` (${counted(files.length, "file")} to restore)`;
  if (direction === "forth") return `What was taken back is brought back${restoring}.`;
  return `${conversation ? "The conversation goes" : "The files go"} back to ${endOfTurn(keepTurns)}${restoring}.`;
}

function describeRewind(record: RewindStarted | RewindFinished): readonly ProgressLine[] {
  if (record.type === "rewind-started") return [line("warning", rewindText(record))];
  const { restored, conflicts } = record;
  return [
    ...restored.map(({ path, after }) =>
      line("good", `  ${after === null ? "removed" : "restored"} ${inertLine(path, summaryCharacters)}`),
    ),
    ...leftAloneLines(conflicts),
  ];
}

function toolLines(message: AssistantMessage): readonly ProgressLine[] {
  const all = vendorWork(message);
  const shown = all
    .slice(0, vendorLines)
    .map(({ failed, text }) => line(failed ? "bad" : "muted", `${failed ? "✗" : "▸"} ${text}`));
  return [...shown, ...restOf(all.length, vendorLines)];
}

function sourceLines(message: AssistantMessage): readonly ProgressLine[] {
  const all = citedSources(message);
  if (all.length === 0) return [];
  const shown = all.slice(0, vendorLines).map((source, at) => line("muted", `  [${at + 1}] ${source}`));
  return [line("muted", "Sources:"), ...shown, ...restOf(all.length, vendorLines)];
}

function restOf(count: number, shown: number): readonly ProgressLine[] {
  return count > shown ? [line("muted", `  … ${count - shown} more`)] : [];
}

function describeFinished(
  record: Extract<JournalRecord, { type: "tool-finished" }>,
  summary: string | undefined,
): readonly ProgressLine[] {
  const { outcome, changes, durationMs } = record;
  const changed = changes.flatMap((change) => [
    line(
      "muted",
      `  ${change.kind} ${inertLine(change.path, summaryCharacters)} (+${change.addedLines} −${change.removedLines})`,
    ),
    ...shownDiff(change.diff),
  ]);
  switch (outcome.type) {
    case "done":
      return [...endLines(outcome, summary ?? "done", durationMs), ...changed];
    case "proposed":
      return [line("good", `  ✓ proposed: ${inertLine(summary ?? "", summaryCharacters)}`), ...changed];
    case "failed":
    case "rejected":
    case "denied":
    case "cancelled":
    case "unknown":
      return [
        line(
          "bad",
          `  ✗ ${outcome.type}: ${summary === undefined ? "" : `${inertLine(summary, summaryCharacters)}: `}${inertLine(outcome.content, outcome.type === "denied" ? refusalCharacters : summaryCharacters)}`,
        ),
        ...changed,
      ];
    default:
      return unreachable(outcome);
  }
}

function shownDiff(diff: string | undefined): readonly ProgressLine[] {
  if (diff === undefined) return [];
  const lines = inertText(diff)
    .split("\n")
    .filter((text) => !/^(?:---|\+\+\+|===|Index:)/.test(text) && text !== "");
  const shown = lines.slice(0, diffLines).map((text) => ({ tone: "diff", text: `    ${text}` }) as const);
  return lines.length > diffLines ? [...shown, line("muted", `    … ${lines.length - diffLines} more lines`)] : shown;
}

/** What a choice was made for is said by the notice beside it. */
function describeCompaction(record: CompactionRecord): readonly ProgressLine[] {
  switch (record.type) {
    case "compaction-started":
      return [line("muted", "Summarising older messages …")];
    case "compaction-completed":
      return [line("muted", "Older messages are now shown to the model as a summary.")];
    case "compaction-failed":
      return [line("warning", `The summary failed: ${record.message}`)];
    case "compaction-selected":
    case "compaction-edited":
    case "results-shortened":
    case "results-kept":
    case "summary-started":
    case "summary-made":
    case "summary-dropped":
      return [];
  }
}

function line(tone: ProgressTone, text: string): ProgressLine {
  return { tone, text: inertText(text) };
}

function soon(delayMs: number): string {
  return delayMs === 0 ? "at once" : `in ${timeText(delayMs)}`;
}
