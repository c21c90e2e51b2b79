import { type SessionEvent, type ToolArguments, unreachable } from "@capstan/protocol";
import {
  type AnswerCell,
  type CallCell,
  type CallEnd,
  type Cell,
  cellsFrom,
  emptyTranscript,
  inertLine,
  inertText,
  reduce,
  type Transcript,
  type Words,
  endOfTurn,
} from "@capstan/view";

const lineCharacters = 200;

/**
 * A session to read, as lines of Markdown: what was said, done, and came out. Everything in it is inert.
 * @param remark  a sentence that comes first; empty: none
 */
export function* markdownTranscript(
  sessionId: string,
  events: readonly SessionEvent[],
  remark: string,
): Generator<string> {
  yield `# Session ${sessionId}`;
  if (remark !== "") yield `\n${remark}`;
  const transcript = events.reduce(reduce, emptyTranscript);
  for (const text of [headOf(transcript), ...[...cellsFrom(transcript)].map(partOf)])
    if (text !== undefined) yield `\n${inertText(text)}`;
}

function headOf({ session }: Transcript): string | undefined {
  if (session === null) return undefined;
  const { at, workspace, origin, version } = session;
  return `${timeOf(at)}, in ${code(workspace.cwd)}, by ${origin.frontend}, with Capstan ${version}`;
}

/** What stands for itself elsewhere, such as a question beside its call, has no part of its own. */
function partOf(cell: Cell): string | undefined {
  switch (cell.type) {
    case "user":
      return `## ${cell.origin.frontend}, ${timeOf(cell.at)}\n\n${quoted(wordsOf(cell.words))}`;
    case "answer":
      return answerOf(cell);
    case "call":
      return callOf(cell);
    case "compaction":
      return cell.state.type === "done"
        ? `### Summary of the first ${cell.messageCount} messages\n\n${cell.state.summary}`
        : undefined;
    case "turn-end":
      return `— ${cell.outcome}${cell.message === undefined ? "" : `: ${line(cell.message)}`}`;
    case "rewind":
      return cell.direction === "forth"
        ? "*What was taken back is brought back.*"
        : `*${cell.conversation ? "The conversation goes" : "The files go"} back to ${endOfTurn(cell.keepTurns)}.*`;
    case "notice":
      return `*${line(cell.text)}*`;
    case "interaction":
    case "retry":
    case "grant":
    case "recovery":
      return undefined;
    default:
      return unreachable(cell);
  }
}

function answerOf({ model, parts, state }: AnswerCell): string | undefined {
  const isWhole = state.type === "complete";
  const texts = parts.flatMap((part) => {
    if (part.type === "text") return [part.text];
    return part.type === "thinking" && isWhole ? [quoted(`(thinking) ${part.text}`)] : [];
  });
  if (isWhole) return [`### ${model}`, ...texts].join("\n\n");
  const cause = state.type === "abandoned" ? state.cause : state.type;
  return texts.length === 0 ? undefined : [`### Broken off (${cause})`, ...texts].join("\n\n");
}

function callOf({ tool, summary, arguments: args, decision, state }: CallCell): string {
  const called = `Call ${code(tool)}:\n\n${fenced(argumentsText(args))}`;
  const decided = decision === null ? [] : [`- ${decision.verdict}: ${code(summary)} (${line(decision.reason)})`];
  const ended = state.type === "ended" ? [endOf(state.end)] : [];
  return [called, ...decided, ...ended].join("\n\n");
}

function argumentsText(args: ToolArguments): string {
  return args.type === "json" ? JSON.stringify(args.value, null, 2) : args.text;
}

function endOf({ outcome, succeeded, exitCode, signal, durationMs, content }: CallEnd): string {
  const isCommand = exitCode !== undefined && outcome === "done" && !succeeded;
  const word = isCommand ? (exitCode === null ? `ended by ${signal ?? "a signal"}` : `exit code ${exitCode}`) : outcome;
  return `${word} after ${durationMs} ms:\n\n${fenced(content)}`;
}

function wordsOf(words: readonly Words[]): string {
  return words.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((part) => `> ${part}`)
    .join("\n");
}

/** With a fence longer than any in the text, so that nothing in it can end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function code(text: string): string {
  return `\`${line(text).replaceAll("`", "'")}\``;
}

function line(text: string): string {
  return inertLine(text, lineCharacters);
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
