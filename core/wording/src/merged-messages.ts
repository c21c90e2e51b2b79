import type { AssistantMessage, Message, Task, UserMessage } from "@capstan/protocol";

/** Stands for the first messages, with the task list of that moment, which nothing later repeats. */
export interface Summary {
  readonly text: string;
  readonly messageCount: number;
  readonly tasks: readonly Task[];
}

/** Joins neighbours of the same role and puts the summary in place of what it stands for. Messages that stand alone keep their identity. */
export function mergedMessages(
  summary: Summary | null,
  messages: readonly Message[],
  tail: readonly Message[],
): readonly Message[] {
  const merged: Message[] = summary === null ? [] : [summaryMessage(summary)];
  for (const message of [...messages.slice(summary?.messageCount ?? 0), ...tail]) {
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

function summaryMessage({ text, tasks }: Summary): UserMessage {
  const list = tasks.length === 0 ? "" : `\n\n${taskList(tasks)}`;
  return { role: "user", content: [{ type: "text", text: `[Summary of the conversation so far]\n${text}${list}` }] };
}

/** The task list, as the model reads it again when what it was shown of it is there no longer. */
function taskList(tasks: readonly Task[]): string {
  return ["The task list:", ...tasks.map(({ step, status }) => `- [${marks[status]}] ${step}`)].join("\n");
}

const marks: Readonly<Record<Task["status"], string>> = { pending: " ", "in-progress": ">", done: "x" };
