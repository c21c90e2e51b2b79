import type { AssistantBlock, JournalRecord, SessionEvent, UserContent } from "@capstan/protocol";
import { inertLine, inertText } from "@capstan/view";

const lineCharacters = 200;

/** A session to read, as lines of Markdown: what was said, done, and came out. Everything in it is inert. */
export function* markdownTranscript(
  sessionId: string,
  events: readonly SessionEvent[],
  redact: ((text: string) => string) | undefined,
): Generator<string> {
  yield `# Session ${sessionId}`;
  if (redact !== undefined) yield "\nSecrets were taken out.";
  for (const { at, record } of events) {
    const text = partOf(record, new Date(at).toISOString());
    if (text !== undefined) yield `\n${inertText(redact === undefined ? text : redact(text))}`;
  }
}

function partOf(record: JournalRecord, time: string): string | undefined {
  switch (record.type) {
    case "session-started":
      return `${time}, in ${code(record.workspace.cwd)}, by ${record.origin.face}, with Capstan ${record.version}`;
    case "turn-started":
      return `## ${record.origin.face}, ${time}\n\n${quoted(wordsOf(record.content))}`;
    case "step-completed":
      return answerOf(record.message.content, `${record.message.origin.provider}/${record.message.origin.model}`);
    case "step-abandoned":
      return record.text === "" ? undefined : `### Broken off (${record.cause})\n\n${record.text}`;
    case "tool-decided":
      return `- ${record.judgement.verdict}: ${code(record.action.summary)} (${line(record.judgement.reason)})`;
    case "tool-finished":
      return `${record.outcome.type} after ${record.durationMs} ms:\n\n${fenced(record.outcome.content)}`;
    case "compaction-completed":
      return `### Summary of the first ${record.messageCount} messages\n\n${record.summary}`;
    case "turn-ended":
      return `— ${record.outcome}${record.message === undefined ? "" : `: ${line(record.message)}`}`;
    case "rewind-started":
      return record.direction === "forth"
        ? "*What was taken back is brought back.*"
        : `*${record.conversation ? "The conversation goes" : "The files go"} back to the end of turn ${record.keepTurns}.*`;
    case "notice":
      return `*${line(record.text)}*`;
    default:
      return undefined;
  }
}

function answerOf(blocks: readonly AssistantBlock[], model: string): string {
  const parts = blocks.flatMap((block): readonly string[] => {
    if (block.type === "text") return [block.text];
    if (block.type === "thinking") return block.text === "" ? [] : [quoted(`(thinking) ${block.text}`)];
    if (block.type === "provider-item") return [];
    const { value, text } = { value: undefined, text: "", ...block.arguments };
    return [`Call ${code(block.name)}:\n\n${fenced(value === undefined ? text : JSON.stringify(value, null, 2))}`];
  });
  return [`### ${model}`, ...parts].join("\n\n");
}

function wordsOf(content: readonly UserContent[]): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
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
