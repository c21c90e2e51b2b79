import { type Shortened, withShortResults } from "@capstan/context";
import type { AssistantMessage, KeptWords, Message, StepId, Task, UserMessage } from "@capstan/protocol";

/** Stands for the first messages, with the task list of that moment, which nothing later repeats. */
export interface Summary {
  /** Of the compaction that made it; `null`: a user wanted a clean context, and no original comes back. */
  readonly stepId: StepId | null;
  readonly text: string;
  /** What the model still reads word for word. */
  readonly kept: readonly KeptWords[];
  readonly messageCount: number;
  readonly tasks: readonly Task[];
}

/** What of a conversation a model is shown otherwise than it was said. */
export interface Shown {
  readonly summary: Summary | null;
  readonly shortened: Shortened | null;
}

/** Joins neighbours of the same role and puts the summary in place of what it stands for. Messages that stand alone keep their identity. */
export function mergedMessages(
  { summary, shortened }: Shown,
  messages: readonly Message[],
  tail: readonly Message[],
): readonly Message[] {
  const merged: Message[] = summary === null ? [] : [summaryMessage(summary)];
  const first = summary?.messageCount ?? 0;
  for (const [index, whole] of [...messages.slice(first), ...tail].entries()) {
    const isShort = shortened !== null && first + index < shortened.messageCount;
    const message = isShort ? withShortResults(whole, shortened.characters, shortened.files) : whole;
    const last = merged.at(-1);
    if (last?.role === "user" && message.role === "user") merged[merged.length - 1] = joinUsers(last, message);
    else if (last?.role === "assistant" && message.role === "assistant") joinAnswers(merged, last, message);
    else merged.push(message);
  }
  return merged[0]?.role === "assistant" ? [bridge, ...merged] : merged;
}

/** Stands where vendors demand that the user speaks and nothing was said. */
export const bridge: UserMessage = { role: "user", content: [{ type: "text", text: "(continue)" }] };

/** Results come first: vendors demand them directly after the calls. */
function joinUsers(first: UserMessage, second: UserMessage): UserMessage {
  const blocks = [...first.content, ...second.content];
  const results = blocks.filter((block) => block.type === "tool-result");
  return { role: "user", content: [...results, ...blocks.filter((block) => block.type !== "tool-result")] };
}

/** A paused answer and its continuation are one answer; answers of different models are kept apart. */
function joinAnswers(merged: Message[], first: AssistantMessage, second: AssistantMessage): void {
  const sameModel = first.origin.wire === second.origin.wire && first.origin.provider === second.origin.provider;
  if (sameModel && first.words === second.words)
    merged[merged.length - 1] = { ...first, content: [...first.content, ...second.content] };
  else merged.push(bridge, second);
}

function summaryMessage({ text, kept, tasks }: Summary): UserMessage {
  const words = kept.length === 0 ? "" : `\n\n${keptList(kept)}`;
  const list = tasks.length === 0 ? "" : `\n\n${taskList(tasks)}`;
  const whole = `[Summary of the conversation so far]\n${text}${words}${list}`;
  return { role: "user", content: [{ type: "text", text: whole }] };
}

/** Said in the conversation, and still true: in the order in which it was said, what is wanted now last. */
function keptList(kept: readonly KeptWords[]): string {
  return [
    "Word for word, from the same conversation:",
    ...kept.map((each) => `- ${labels[each.kind]}: ${each.text}`),
  ].join("\n");
}

const labels: Readonly<Record<KeptWords["kind"], string>> = {
  "first-request": "The first request",
  constraint: "A rule",
  decision: "Decided",
  failed: "Tried, and failed",
  request: "THE REQUEST YOU ARE WORKING ON",
};

/** The task list, as the model reads it again when what it was shown of it is there no longer. */
function taskList(tasks: readonly Task[]): string {
  const lists = [...new Set(tasks.map(({ list }) => list))];
  return lists
    .flatMap((name) => [
      name === undefined ? "The task list:" : `The task list ${name}:`,
      ...tasks.filter(({ list }) => list === name).map((task) => `- [${markOf(task)}] ${task.step}`),
    ])
    .join("\n");
}

function markOf({ status, blocked }: Task): string {
  return blocked === true ? "blocked" : marks[status];
}

const marks: Readonly<Record<Task["status"], string>> = { pending: " ", "in-progress": ">", done: "x" };
